/** Whether a finding is due for an automatic investigation, and why not. */
import type { Finding } from './finding.ts';
import type { InvestigationOutcome } from './investigation.ts';

export const AUTONOMIES = ['monitor', 'approval', 'assisted', 'full'] as const;
export type Autonomy = (typeof AUTONOMIES)[number];

/** In order of precedence: the first that holds is the reason. */
export const INVESTIGATION_REASONS = [
  'autonomy_off',
  'resolved',
  'dismissed',
  'suppressed',
  'snoozed',
  'severity_too_low',
  'fix_queued',
  'outcome_terminal',
  'running',
  'attempts_exhausted',
  'cooling_down',
  'due',
] as const;
export type InvestigationReason = (typeof INVESTIGATION_REASONS)[number];

export interface InvestigationLimits {
  /** Per episode. */
  readonly maxAttempts: number;
  readonly cooldownMs: number;
  readonly cooldownAfterTimeoutMs: number;
  readonly cooldownAfterFailedFixMs: number;
}

export const defaultInvestigationLimits: InvestigationLimits = {
  maxAttempts: 3,
  cooldownMs: 60 * 60_000,
  cooldownAfterTimeoutMs: 10 * 60_000,
  cooldownAfterFailedFixMs: 20 * 60_000,
};

export interface InvestigationVerdict {
  readonly investigate: boolean;
  readonly reason: InvestigationReason;
}

/** What of a finding decides. */
export type Investigable = Pick<Finding, 'state' | 'disposition' | 'severity' | 'investigation'>;

/** `autonomy: null` is "not set". */
export const shouldInvestigate = (
  finding: Investigable,
  autonomy: Autonomy | null,
  nowMs: number,
  limits: InvestigationLimits = defaultInvestigationLimits,
): InvestigationVerdict => {
  const reason = reasonFor(finding, autonomy, nowMs, limits);
  return { investigate: reason === 'due', reason };
};

const reasonFor = (
  { state, disposition, severity, investigation }: Investigable,
  autonomy: Autonomy | null,
  nowMs: number,
  limits: InvestigationLimits,
): InvestigationReason => {
  if (autonomy === null || autonomy === 'monitor') return 'autonomy_off';
  if (state === 'resolved') return 'resolved';
  if (disposition.kind === 'dismissed' || disposition.kind === 'suppressed') return disposition.kind;
  if (disposition.kind === 'snoozed' && disposition.untilMs > nowMs) return 'snoozed';
  if (severity !== 'warning' && severity !== 'critical') return 'severity_too_low';
  const { outcome, attempts, lastEndedAtMs, running } = investigation;
  if (outcome === 'fix_queued') return 'fix_queued';
  if (outcome !== null && isTerminal(outcome)) return 'outcome_terminal';
  if (running) return 'running';
  if (attempts >= limits.maxAttempts) return 'attempts_exhausted';
  if (lastEndedAtMs !== null && isWithin(nowMs - lastEndedAtMs, cooldownMs(outcome, limits))) return 'cooling_down';
  return 'due';
};

const isTerminal = (outcome: InvestigationOutcome): boolean => {
  switch (outcome) {
    case 'fix_verified':
    case 'resolved':
    case 'fix_rejected':
    case 'cannot_fix':
    case 'needs_attention':
    case 'fix_verification_unknown':
      return true;
    case 'fix_queued':
    case 'fix_executed':
    case 'fix_failed':
    case 'fix_verification_failed':
    case 'timed_out':
      return false;
  }
};

const cooldownMs = (outcome: InvestigationOutcome | null, limits: InvestigationLimits): number => {
  switch (outcome) {
    case 'timed_out':
      return limits.cooldownAfterTimeoutMs;
    case 'fix_failed':
    case 'fix_verification_failed':
      return limits.cooldownAfterFailedFixMs;
    default:
      return limits.cooldownMs;
  }
};

/** An end that lies further in the future than the cooldown is a clock's mistake and holds nothing up. */
const isWithin = (elapsedMs: number, spanMs: number): boolean => Math.abs(elapsedMs) < spanMs;
