/** What one read of one source returned, before its things have been joined with those of other sources. */
import type { ResourceClaim } from './claim.ts';
import type { Sample } from './history.ts';
import type { ReadingBody, ReadingKind } from './reading.ts';
import type { ResourceKind, SourceId } from './resource.ts';

/** A reading that still names its thing by the source's own `ref`. */
export type SurveyedReading = ReadingBody & {
  readonly ref: string;
  readonly takenAtMs: number;
};

/** Something that should have been read and was not. `ref: null` means everything of the source. */
export interface Gap {
  readonly ref: string | null;
  /** Empty means every kind. */
  readonly reads: readonly ReadingKind[];
  readonly code: GapCode;
  /** For people: what, why, and where possible the remedy. Never a secret. */
  readonly reason: string;
}

export const GAP_CODES = [
  'not_installed',
  'not_permitted',
  'not_supported',
  'asleep',
  'timed_out',
  'unreachable',
  'malformed',
  'stale',
  'future',
  'not_due',
  'empty',
  'cut_short',
  'failed',
  'not_answering',
] as const;
/**
 * `not_due`: this reading has a slower pace; the kept one still counts until it is stale.
 * `not_answering`: the thing itself does not answer, as its probe says; the read is whole.
 */
export type GapCode = (typeof GAP_CODES)[number];

/** A list that was read to its end: what it does not hold is absent, not unseen. `parentRef: null` spans the source. */
export interface CompleteList {
  readonly kind: ResourceKind;
  readonly parentRef: string | null;
}

/** Past values that the source itself keeps, so that windows, trends and baselines need no warming up. */
export interface Series {
  readonly ref: string;
  /** A metric name of `history.ts`. */
  readonly metric: string;
  /** Oldest first. */
  readonly samples: readonly Sample[];
}

/**
 * `ok`: everything that was due was read. `partial`: something is missing (then at least one gap says what).
 * `failed`: nothing could be read.
 */
export interface Survey {
  readonly sourceId: SourceId;
  readonly outcome: 'ok' | 'partial' | 'failed';
  readonly reason: string | null;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly claims: readonly ResourceClaim[];
  readonly readings: readonly SurveyedReading[];
  readonly series: readonly Series[];
  readonly gaps: readonly Gap[];
  readonly listed: readonly CompleteList[];
}
