/** Turns the past that Prometheus keeps into series as detectors read them. */
import type { Series } from '../../../signals/survey.ts';
import type { Point } from './answer.ts';
import { type SurveyWorld, toOurs } from './survey-world.ts';

/** Values at instants, oldest first. */
export const pastSeries = (
  world: SurveyWorld,
  ref: string,
  metric: string,
  points: readonly Point[],
  scale = 1,
): Series => ({
  ref,
  metric,
  samples: points.map(({ atMs, value }) => ({ atMs: toOurs(world, atMs), value: value * scale, windowMs: 0 })),
});
