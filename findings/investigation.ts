/** What a finding remembers of the investigations of its present episode. */

export const INVESTIGATION_OUTCOMES = [
  'resolved',
  'fix_queued',
  'fix_executed',
  'fix_failed',
  'fix_rejected',
  'fix_verified',
  'fix_verification_failed',
  'fix_verification_unknown',
  'needs_attention',
  'cannot_fix',
  'timed_out',
] as const;
export type InvestigationOutcome = (typeof INVESTIGATION_OUTCOMES)[number];

export interface Investigation {
  /** Of the last one that ended in this episode. */
  readonly outcome: InvestigationOutcome | null;
  /** Started in this episode. */
  readonly attempts: number;
  readonly lastEndedAtMs: number | null;
  readonly running: boolean;
}

export const neverInvestigated: Investigation = { outcome: null, attempts: 0, lastEndedAtMs: null, running: false };

/** Outcomes after which the problem should be gone: what was done then is worth remembering. */
export const isFixed = (outcome: InvestigationOutcome | null): boolean =>
  outcome === 'fix_verified' || outcome === 'resolved';
