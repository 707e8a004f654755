/** Space of a filesystem, storage, pool or datastore: how full it is, and when it will be full. */
import type { ResourceHistory } from '../history.ts';
import { metrics } from '../history.ts';
import type { CapacityReading, FilesystemReading, ReadingStamp } from '../reading.ts';
import type { Resource } from '../resource.ts';
import { growthOf, spanOf, stretchOf, TREND_AT_LEAST_MS } from './trend.ts';

const HOUR_MS = 3_600_000;

export const GIB = 1024 ** 3;

export type SpaceReading = (FilesystemReading | CapacityReading) & ReadingStamp;

/** `used / (used + available)`: what is reserved for root is neither. */
export const usedPercent = ({ usedBytes, availableBytes }: SpaceReading): number =>
  (usedBytes / (usedBytes + availableBytes)) * 100;

/** Made full and read-only on purpose. */
const IMAGES: ReadonlySet<string> = new Set(['squashfs', 'iso9660', 'udf', 'erofs', 'cramfs', 'romfs']);

export const skipSpace = ({ facts, expects }: Resource): string | null => {
  const fsType = facts['fsType'];
  if (typeof fsType === 'string' && IMAGES.has(fsType)) return `${fsType} is read-only and full by design`;
  return expects.includes('thin_pool') ? 'it is a thin pool: thin_pool_full judges it' : null;
};

/** Mounted read-only as long as anybody remembers: nothing can fill it. */
export const isNeverWritten = (reading: SpaceReading, history: ResourceHistory): boolean =>
  reading.kind === 'filesystem' &&
  reading.superblockReadOnly === true &&
  !history.samples(metrics.readOnly).some(({ value }) => value === 0);

/** Two stretches: a short one that sees a sudden filling, a long one that sees a slow one. */
const SPANS_MS = [TREND_AT_LEAST_MS, 84 * HOUR_MS, 15 * 24 * HOUR_MS] as const;

/** A change of size by more than this is a resize, and what was before it no longer counts. */
const RESIZED_BY = 0.01;

export interface Filling {
  /** Hours until nothing is available. */
  readonly hours: number;
  readonly bytesPerHour: number;
  /** Time over which it was seen to grow. */
  readonly spanMs: number;
}

export type FillingAnswer =
  | { readonly state: 'filling'; readonly filling: Filling }
  | { readonly state: 'steady' }
  | { readonly state: 'unknown'; readonly observedMs: number };

/** Since when the size is what it is now: sizes are remembered where they change, so the first sample of it tells. */
const sizedSinceMs = (reading: SpaceReading, history: ResourceHistory): number => {
  const sizes = history.samples(metrics.sizeBytes);
  let sinceMs = reading.takenAtMs;
  for (let index = sizes.length - 1; index >= 0; index -= 1) {
    const sample = sizes[index];
    if (sample === undefined || sample.atMs >= reading.takenAtMs) continue;
    if (Math.abs(sample.value - reading.sizeBytes) > RESIZED_BY * reading.sizeBytes) return sinceMs;
    sinceMs = sample.atMs;
  }
  return Number.NEGATIVE_INFINITY;
};

export interface FillingInput {
  readonly reading: SpaceReading;
  readonly history: ResourceHistory;
  /** Slower than this does not matter to the caller. */
  readonly withinHours: number;
  /** How many times the sampled span a forecast may reach ahead. */
  readonly spansAhead: number;
}

/** The soonest forecast of the stretches that are long enough for it. */
export const fillingOf = ({ reading, history, withinHours, spansAhead }: FillingInput): FillingAnswer => {
  const { takenAtMs } = reading;
  const samples = history.samples(metrics.usedBytes);
  const past = stretchOf(samples, sizedSinceMs(reading, history), takenAtMs);
  const observedMs = spanOf(past, takenAtMs);
  if (observedMs < TREND_AT_LEAST_MS) return { state: 'unknown', observedMs };
  const now = { atMs: takenAtMs, value: reading.usedBytes, windowMs: 0 };
  const stretch = [...past.filter(({ atMs }) => atMs < takenAtMs), now];
  const leastPerHour = reading.availableBytes / withinHours;
  let soonest: Filling | null = null;
  for (const spanMs of SPANS_MS) {
    // A short span is looked at even where a longer one is there; a longer one takes what there is.
    if (spanMs > TREND_AT_LEAST_MS && observedMs < spanMs * 0.5) break;
    const part = stretchOf(stretch, takenAtMs - spanMs, takenAtMs);
    const growth = growthOf(part, takenAtMs, leastPerHour);
    if (growth === null) continue;
    const hours = reading.availableBytes / growth.bytesPerHour;
    if (hours > (growth.spanMs / HOUR_MS) * spansAhead) continue;
    if (soonest === null || hours < soonest.hours) soonest = { hours, ...growth };
  }
  return soonest === null ? { state: 'steady' } : { state: 'filling', filling: soonest };
};
