/** How use of space has grown, as far back as Prometheus has it without a hole. */
import { metrics } from '../../../signals/history.ts';
import type { Point, SeriesAnswer } from './answer.ts';
import { pastSeries } from './past-series.ts';
import type { SurveyWorld } from './survey-world.ts';
import { contiguousTail } from './trailing-run.ts';

export const SPACE_TREND = { spanMs: 4 * 24 * 3_600_000, stepMs: 2 * 3_600_000 };

/** Trends matter only above 55 % use, of what is not reserved; what lies well below is not fetched. */
export const isWorthTrending = (freeBytes: string, sizeBytes: string): string =>
  `(${freeBytes} @ end() / ${sizeBytes} @ end() < 0.55)`;

/** The first value and each that differs from the one before. */
export const changesOf = (points: readonly Point[]): readonly Point[] =>
  points.filter(({ value }, index) => index === 0 || points[index - 1]?.value !== value);

export const addUsedPast = (world: SurveyWorld, ref: string, { points }: SeriesAnswer): void =>
  world.out.series(pastSeries(world, ref, metrics.usedBytes, contiguousTail(points, SPACE_TREND.stepMs)));

export const addSizePast = (world: SurveyWorld, ref: string, { points }: SeriesAnswer): void =>
  world.out.series(pastSeries(world, ref, metrics.sizeBytes, changesOf(contiguousTail(points, SPACE_TREND.stepMs))));
