/** Time-weighted means over a window, and how much of it was really observed. */
import type { Judgement } from './detector.ts';
import { formatDuration } from './format.ts';
import type { Sample } from './history.ts';
import { observedMs } from './observed.ts';
import type { Averaged } from './reading.ts';

/** Below this share of the window nothing is concluded (DETECTORS.md rule 1). */
export const OBSERVED_AT_LEAST = 0.8;

/** The longest stretch that one instant may speak for: one and a half watches of 5 minutes. */
export const INSTANT_SPAN_MS = 450_000;

/** A window that lacks only seconds is not asked about at once. */
const LEAST_WAIT_MS = 60_000;

export interface WindowMean {
  readonly mean: number;
  /** 0..1 */
  readonly observedRatio: number;
}

/** Index of the first sample later than `atMs`, in samples that are oldest first. */
const firstAfter = (samples: readonly Sample[], atMs: number): number => {
  let low = 0;
  let high = samples.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const sample = samples[middle];
    if (sample !== undefined && sample.atMs <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Adds up what samples say about a stretch of time, latest first; where two speak for one moment the later one counts. */
class Integral {
  readonly #fromMs: number;
  #untilMs: number;
  #weighted = 0;
  #coveredMs = 0;

  constructor(fromMs: number, untilMs: number) {
    this.#fromMs = fromMs;
    this.#untilMs = untilMs;
  }

  /** Whether earlier samples can still add something. */
  get open(): boolean {
    return this.#untilMs > this.#fromMs;
  }

  add(sample: Sample, before: Sample | undefined): void {
    const spanMs =
      sample.windowMs > 0
        ? sample.windowMs
        : Math.min(INSTANT_SPAN_MS, before === undefined ? 0 : sample.atMs - before.atMs);
    const end = Math.min(sample.atMs, this.#untilMs);
    const start = Math.max(sample.atMs - spanMs, this.#fromMs);
    if (end <= start) return;
    this.#weighted += sample.value * (end - start);
    this.#coveredMs += end - start;
    this.#untilMs = start;
  }

  over(windowMs: number): WindowMean | null {
    if (this.#coveredMs === 0) return null;
    return { mean: this.#weighted / this.#coveredMs, observedRatio: Math.min(1, this.#coveredMs / windowMs) };
  }
}

/** Mean over the `windowMs` before `nowMs`. An instant speaks for the time since the sample before it, within bounds. */
export const meanOver = (samples: readonly Sample[], windowMs: number, nowMs: number): WindowMean | null =>
  meanWith(samples, samples.length, null, windowMs, nowMs);

/** The mean over `samples[0..count)` and, later than all of them, `last`. */
const meanWith = (
  samples: readonly Sample[],
  count: number,
  last: Sample | null,
  windowMs: number,
  nowMs: number,
): WindowMean | null => {
  const integral = new Integral(nowMs - windowMs, nowMs);
  if (last !== null) integral.add(last, samples[count - 1]);
  for (let index = count - 1; index >= 0 && integral.open; index -= 1) {
    const sample = samples[index];
    if (sample === undefined || sample.atMs <= nowMs - windowMs) break;
    integral.add(sample, samples[index - 1]);
  }
  return integral.over(windowMs);
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
  const now: Sample = { atMs: reading.takenAtMs, value, windowMs: observedMs(reading) };
  const past = firstAfter(samples, reading.takenAtMs - 1);
  return meanWith(samples, past, now, forMs, reading.takenAtMs);
};

/** The answer while a window has not filled; asked again no later than an instant may speak for. */
export const warmingUp = (
  observedRatio: number,
  forMs: number,
  nowMs: number,
  subject: string | null = null,
): Judgement => ({
  state: 'unobserved',
  subject,
  code: 'warming_up',
  reason: `${formatDuration(observedRatio * forMs)} of ${formatDuration(forMs)} observed`,
  retryAtMs: nowMs + Math.min(INSTANT_SPAN_MS, Math.max(LEAST_WAIT_MS, forMs * (1 - observedRatio))),
});
