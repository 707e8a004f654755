/** How old a reading may be before it proves nothing. */
import type { ReadingKind } from './reading.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Readings from the future by more than this are a clock's fault, not evidence. */
export const FUTURE_TOLERANCE_MS = MINUTE_MS;

/** Three times the pace at which each kind is read. */
export const maxAgeMs = (kind: ReadingKind): number => {
  switch (kind) {
    case 'smart':
      return 3 * HOUR_MS;
    case 'certificate':
    case 'backup':
    case 'backup_verification':
    case 'backup_volumes':
    case 'snapshots':
    case 'upkeep':
      return 72 * HOUR_MS;
    default:
      return 15 * MINUTE_MS;
  }
};

export type Freshness = 'fresh' | 'stale' | 'future';

export const freshness = (kind: ReadingKind, takenAtMs: number, nowMs: number): Freshness => {
  if (takenAtMs > nowMs + FUTURE_TOLERANCE_MS) return 'future';
  return nowMs - takenAtMs > maxAgeMs(kind) ? 'stale' : 'fresh';
};
