/** What every area maps from and into. */
import type { ReadingBody } from '../../../signals/reading.ts';
import type { SightingBuilder } from '../sighting-builder.ts';
import type { SourceState, SurveyRequest } from '../source.ts';
import type { Labels } from './answer.ts';
import type { Answers } from './answers.ts';
import type { Disks } from './disks.ts';
import type { Hosts } from './hosts.ts';
import type { QueryContext } from './named-query.ts';
import type { PrometheusConfig } from './prometheus-config.ts';
import { prometheusLimits } from './prometheus-limits.ts';
import type { Targets } from './targets.ts';

export interface SurveyWorld {
  readonly sourceId: string;
  readonly config: PrometheusConfig;
  readonly request: SurveyRequest;
  readonly context: QueryContext;
  readonly state: SourceState;
  readonly answers: Answers;
  readonly targets: Targets;
  readonly hosts: Hosts;
  readonly disks: Disks;
  readonly out: SightingBuilder;
  /** The instant of evaluation, by Prometheus' clock. */
  readonly atMs: number;
  /** Prometheus' clock minus ours. */
  readonly clockOffsetMs: number;
  /** The last scrape error of a target that is down; null: not told. */
  errorOf(key: string): string | null;
}

/** An instant of Prometheus' clock by ours. */
export const toOurs = ({ clockOffsetMs }: Pick<SurveyWorld, 'clockOffsetMs'>, atMs: number): number =>
  Math.round(atMs - clockOffsetMs);

/**
 * Adds a reading taken from series of the target in `labels`, unless it proves nothing: its target does not answer
 * any more, or the sample is too old or from the future. `sampledAtMs` where the series itself tells.
 */
export const addReading = (
  world: SurveyWorld,
  ref: string,
  labels: Labels,
  body: ReadingBody,
  sampledAtMs?: number,
): void => {
  const { out, atMs, config } = world;
  const target = world.targets.of(labels);
  const reads = [body.kind];
  if (target !== undefined && !target.up) {
    out.gap({ ref, reads, code: 'unreachable', reason: downReason(world, target) });
    out.expect(ref, body.kind);
    return;
  }
  const takenAtMs = sampledAtMs ?? target?.scrapedAtMs ?? atMs;
  if (atMs - takenAtMs > config.staleAfter) {
    const minutes = Math.round((atMs - takenAtMs) / 60_000);
    out.gap({ ref, reads, code: 'stale', reason: `the newest sample in Prometheus is ${minutes} min old` });
    out.expect(ref, body.kind);
    return;
  }
  if (takenAtMs > atMs + prometheusLimits.clockDifferenceMs) {
    out.gap({
      ref,
      reads,
      code: 'future',
      reason: 'the sample is dated in the future: check the clock of its exporter',
    });
    out.expect(ref, body.kind);
    return;
  }
  out.read(ref, body, toOurs(world, takenAtMs));
};

export const downReason = (
  { errorOf }: SurveyWorld,
  target: { readonly key: string; readonly job: string; readonly instance: string },
): string => {
  const error = errorOf(target.key);
  return `Prometheus can't scrape ${target.job}/${target.instance}${error === null ? '' : `: ${error}`}`;
};

/** Whether everything that these questions could have told was told. */
export const isWhole = ({ answers }: SurveyWorld, ...names: readonly string[]): boolean =>
  names.every((name) => {
    const state = answers.state(name);
    return state !== 'failed' && state !== 'incomplete';
  });
