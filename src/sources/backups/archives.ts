/** What the place where archives lie says of them. */
import type { GapCode } from '../../../signals/survey.ts';

export interface Archives {
  readonly kind: 'read';
  /** How many complete ones there are, in the future or not. */
  readonly count: number;
  /** Start of the newest complete one; null: there is none, which is a fact. */
  readonly newestGoodAtMs: number | null;
  /** One is being written right now. */
  readonly growing: boolean;
  /** A newer one than the newest good, that will never be complete: what is left of a run that failed. */
  readonly broken: BrokenArchive | null;
}

export interface BrokenArchive {
  readonly atMs: number;
  readonly reason: string;
}

/** Why nothing is known of them. Never "there are none". */
export interface ArchivesUnread {
  readonly kind: 'unread';
  readonly code: GapCode;
  readonly reason: string;
}

export type ArchivesResult = Archives | ArchivesUnread;

export const unread = (code: GapCode, reason: string): ArchivesUnread => ({ kind: 'unread', code, reason });

/** Clocks of two machines differ by more than this only when one of them is wrong. */
const FUTURE_TOLERANCE_MS = 300_000;

const isFuture = (atMs: number, nowMs: number): boolean => atMs > nowMs + FUTURE_TOLERANCE_MS;

/**
 * Of start times of complete archives. One that is dated in the future proves nothing, and would hide for ever that no
 * newer one comes.
 */
export const archivesOf = (startsAtMs: readonly number[], nowMs: number): ArchivesResult => {
  const past = startsAtMs.filter((atMs) => !isFuture(atMs, nowMs));
  if (past.length === 0 && startsAtMs.length > 0) {
    return unread(
      'future',
      `all of its ${startsAtMs.length} archives are dated in the future: check the clock of the machine that makes them`,
    );
  }
  const newest = past.reduce<number | null>((best, atMs) => (best === null || atMs > best ? atMs : best), null);
  return { kind: 'read', count: startsAtMs.length, newestGoodAtMs: newest, growing: false, broken: null };
};
