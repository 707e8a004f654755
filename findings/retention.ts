/** How long what is over is kept: regressions are counted against it. */
import type { Finding } from './finding.ts';

const DAY_MS = 24 * 3_600_000;

export interface RetentionLimits {
  /** `data.keepResolvedDays`. */
  readonly keepResolvedMs: number;
  /** Ids of requests that were carried out, for clients that ask again. */
  readonly keepRequestsMs: number;
  /** Findings and episodes that one pass removes at most; the next goes on. */
  readonly maxPerPass: number;
}

export const defaultRetention: RetentionLimits = {
  keepResolvedMs: 90 * DAY_MS,
  keepRequestsMs: 7 * DAY_MS,
  maxPerPass: 1000,
};

export const keepDays = (days: number): RetentionLimits => ({ ...defaultRetention, keepResolvedMs: days * DAY_MS });

/** What was over before this instant is forgotten. */
export const forgetBeforeMs = ({ keepResolvedMs }: RetentionLimits, nowMs: number): number => nowMs - keepResolvedMs;

export const isForgotten = (
  { state, resolution }: Pick<Finding, 'state' | 'resolution'>,
  limits: RetentionLimits,
  nowMs: number,
): boolean => state === 'resolved' && resolution !== null && resolution.atMs < forgetBeforeMs(limits, nowMs);
