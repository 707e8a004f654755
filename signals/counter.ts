/** What a count has done lately: faults are judged by change, never by what piled up long ago (DETECTORS.md rule 3). */
import type { Sample } from './history.ts';

/**
 * `counter`: only ever grows; a fall is a reset, and what it shows since then is the increase.
 * `gauge`: may fall by itself (sectors that were pending and could be rewritten); only its rises count, and the first
 * step away from 0 is an appearance, not a rise.
 */
export type CountKind = 'counter' | 'gauge';

export interface CountInput {
  readonly kind: CountKind;
  readonly count: number;
  readonly takenAtMs: number;
  /** Oldest first; may already hold the present value. */
  readonly samples: readonly Sample[];
  /** How far back a rise still counts. */
  readonly withinMs: number;
}

export interface Rise {
  /** By how much it rose within the time. 0 at the first look, which is the baseline. */
  readonly by: number;
  /** When it was last seen to have risen; null: not within the time. */
  readonly lastAtMs: number | null;
}

const NONE: Rise = { by: 0, lastAtMs: null };

const step = (kind: CountKind, before: number, after: number): number => {
  if (kind === 'gauge') return before === 0 ? 0 : Math.max(0, after - before);
  return after >= before ? after - before : Math.max(0, after);
};

/** A rise that was noticed only after a long pause counts from when it was noticed: nobody knows when it happened. */
export const riseOf = ({ kind, count, takenAtMs, samples, withinMs }: CountInput): Rise => {
  const fromMs = takenAtMs - withinMs;
  let by = 0;
  let lastAtMs: number | null = null;
  let after = count;
  let afterAtMs = takenAtMs;
  for (let index = samples.length - 1; index >= 0 && afterAtMs > fromMs; index -= 1) {
    const sample = samples[index];
    if (sample === undefined) break;
    if (sample.atMs >= takenAtMs) continue;
    const rise = step(kind, sample.value, after);
    by += rise;
    if (rise > 0) lastAtMs ??= afterAtMs;
    after = sample.value;
    afterAtMs = sample.atMs;
  }
  return by === 0 ? NONE : { by, lastAtMs };
};
