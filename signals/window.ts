/** Time-weighted means over a window, and how much of it was really observed. */
import type { Sample } from './history.ts';
import type { Averaged } from './reading.ts';

/** Below this share of the window nothing is concluded (DETECTORS.md rule 1). */
export const OBSERVED_AT_LEAST = 0.8;

/** The longest stretch that one instant may speak for: one and a half watches of 5 minutes. */
export const INSTANT_SPAN_MS = 450_000;

export interface WindowMean {
  readonly mean: number;
  /** 0..1 */
  readonly observedRatio: number;
}

/** Mean over the `windowMs` before `nowMs`. An instant speaks for the time since the sample before it, within bounds. */
export const meanOver = (samples: readonly Sample[], windowMs: number, nowMs: number): WindowMean | null => {
  const from = nowMs - windowMs;
  let weighted = 0;
  let coveredMs = 0;
  let until = Number.POSITIVE_INFINITY;
  for (let index = samples.length - 1; index >= 0; index -= 1) {
    const sample = samples[index];
    if (sample === undefined || sample.atMs <= from) break;
    const before = samples[index - 1];
    const spanMs = sample.windowMs > 0 ? sample.windowMs : Math.min(INSTANT_SPAN_MS, before === undefined ? 0 : sample.atMs - before.atMs);
    const end = Math.min(sample.atMs, until, nowMs);
    const start = Math.max(sample.atMs - spanMs, from);
    if (end > start) {
      weighted += sample.value * (end - start);
      coveredMs += end - start;
      until = start;
    }
  }
  return coveredMs === 0 ? null : { mean: weighted / coveredMs, observedRatio: Math.min(1, coveredMs / windowMs) };
};

/**
 * Mean of a use metric over `forMs` up to the reading: the reading's own window where that is long enough, else the
 * remembered samples with the reading as the last of them. Null: nothing covers any of it.
 */
export const sustained = (
  reading: Averaged & { readonly takenAtMs: number },
  value: number,
  samples: readonly Sample[],
  forMs: number,
): WindowMean | null => {
  if (forMs === 0) return { mean: value, observedRatio: 1 };
  if (reading.windowMs >= forMs) return { mean: value, observedRatio: reading.observedRatio };
  const past = samples.filter((sample) => sample.atMs < reading.takenAtMs);
  const now: Sample = { atMs: reading.takenAtMs, value, windowMs: reading.windowMs };
  return meanOver([...past, now], forMs, reading.takenAtMs);
};
