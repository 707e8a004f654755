/** When something that grows will be full, by a slope that outliers and single jumps don't sway. */
import type { Sample } from '../history.ts';

const HOUR_MS = 3_600_000;

/** Less than this proves no trend. */
export const TREND_AT_LEAST_MS = 24 * HOUR_MS;

/** A longer pause between two samples ends the stretch: what happened in it is unknown. Patrols alone come every 6 h. */
export const LONGEST_PAUSE_MS = 6.5 * HOUR_MS;

/** Points that a slope is drawn through: 48 give 1128 pairs. */
const POINTS = 48;

/** A jump is no trend: lately it must still have grown at this share of the slope. */
const STILL_GROWING = 0.5;

/** What grows by a step every night has grown within this; a shorter stretch is asked about its last quarter. */
const NIGHTLY_MS = 28 * HOUR_MS;

export interface Growth {
  readonly bytesPerHour: number;
  readonly spanMs: number;
}

/** The samples of the unbroken stretch up to now, not older than `fromMs`. */
export const stretchOf = (samples: readonly Sample[], fromMs: number, nowMs: number): readonly Sample[] => {
  let first = samples.length;
  let laterMs = nowMs;
  while (first > 0) {
    const sample = samples[first - 1];
    if (sample === undefined || sample.atMs < fromMs || laterMs - sample.atMs > LONGEST_PAUSE_MS) break;
    laterMs = sample.atMs;
    first -= 1;
  }
  return first === 0 ? samples : samples.slice(first);
};

export const spanOf = (stretch: readonly Sample[], nowMs: number): number => {
  const [first] = stretch;
  return first === undefined ? 0 : nowMs - first.atMs;
};

/** At most `POINTS` samples, evenly spread in time, the first and the last among them. */
const thin = (stretch: readonly Sample[], nowMs: number): readonly Sample[] => {
  if (stretch.length <= POINTS) return stretch;
  const stepMs = spanOf(stretch, nowMs) / (POINTS - 1);
  const kept: Sample[] = [];
  let nextMs = Number.NEGATIVE_INFINITY;
  for (const sample of stretch) {
    if (sample.atMs < nextMs) continue;
    kept.push(sample);
    nextMs = sample.atMs + stepMs;
  }
  const last = stretch.at(-1);
  if (last !== undefined && kept.at(-1) !== last) kept.push(last);
  return kept;
};

const median = (values: Float64Array): number => {
  values.sort();
  const middle = values.length >>> 1;
  const upper = values[middle] ?? 0;
  return values.length % 2 === 1 ? upper : (upper + (values[middle - 1] ?? 0)) / 2;
};

const medianOf = (samples: readonly Sample[]): number => median(Float64Array.from(samples, ({ value }) => value));

/** Theil-Sen: the median of the slopes of all pairs. */
const robustSlope = (points: readonly Sample[]): number => {
  const slopes = new Float64Array((points.length * (points.length - 1)) / 2);
  let count = 0;
  for (const [index, from] of points.entries()) {
    for (let later = index + 1; later < points.length; later += 1) {
      const to = points[later];
      if (to === undefined || to.atMs <= from.atMs) continue;
      slopes[count] = ((to.value - from.value) / (to.atMs - from.atMs)) * HOUR_MS;
      count += 1;
    }
  }
  return count === 0 ? 0 : median(slopes.subarray(0, count));
};

/** Values at one moment of the stretch: the median of three says them better than the one in the middle. */
const AROUND = 3;

/** Growth per hour lately; looks far enough back that its two ends lie apart, however seldom samples came. */
const lately = (points: readonly Sample[], nowMs: number): number => {
  const spanMs = spanOf(points, nowMs);
  const recentMs = spanMs >= 2 * NIGHTLY_MS ? NIGHTLY_MS : spanMs / 4;
  const within = points.findIndex(({ atMs }) => atMs >= nowMs - recentMs);
  const start = Math.max(0, Math.min(within - 1, points.length - 2 * AROUND + 1));
  const before = points.slice(start, start + AROUND);
  const after = points.slice(-AROUND);
  const hours = ((after[1]?.atMs ?? 0) - (before[1]?.atMs ?? 0)) / HOUR_MS;
  return hours > 0 ? (medianOf(after) - medianOf(before)) / hours : 0;
};

/** Growth over a stretch that is known to be long enough; null: it does not grow by `leastPerHour` or more. */
export const growthOf = (stretch: readonly Sample[], nowMs: number, leastPerHour: number): Growth | null => {
  const points = thin(stretch, nowMs);
  const spanMs = spanOf(stretch, nowMs);
  const part = Math.max(1, points.length >> 2);
  // Cheap: what has not grown from its first quarter to its last needs no slope.
  const rough = (medianOf(points.slice(-part)) - medianOf(points.slice(0, part))) / (spanMs / HOUR_MS);
  if (!(rough > 0) || rough < leastPerHour / 4) return null;
  const bytesPerHour = robustSlope(points);
  if (!(bytesPerHour > 0) || bytesPerHour < leastPerHour) return null;
  return lately(points, nowMs) < bytesPerHour * STILL_GROWING ? null : { bytesPerHour, spanMs };
};
