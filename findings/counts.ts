/** Whether a finding counts: for `--fail-on`, for the status of a run, for a notification. */
import type { Finding } from './finding.ts';
import { keyType } from './identity.ts';
import type { OperatorState } from './operator-state.ts';
import { quietFor } from './operator-state.ts';

export const QUIET_REASONS = [
  'resolved',
  'acknowledged',
  'snoozed',
  'dismissed',
  'suppressed',
  'folded',
  'retired',
  'muted',
  'maintenance',
  'expected_offline',
] as const;
export type QuietReason = (typeof QUIET_REASONS)[number];

/** What of a finding decides. */
export type Countable = Pick<Finding, 'state' | 'disposition' | 'foldedUnder' | 'key'>;

/** Null: it counts. A stale finding does: that it could not be looked at again makes it no better. */
export const whyQuiet = (finding: Countable, state: OperatorState | null, nowMs: number): QuietReason | null => {
  if (finding.state === 'resolved') return 'resolved';
  const { disposition } = finding;
  const slept = disposition.kind === 'snoozed' && disposition.untilMs <= nowMs;
  if (disposition.kind !== 'none' && !slept) return disposition.kind;
  if (finding.foldedUnder !== null) return 'folded';
  return state === null ? null : quietFor(state, keyType(finding.key), nowMs);
};

/** `state`: what the operator declared about its resource. */
export const counts = (finding: Countable, state: OperatorState | null, nowMs: number): boolean =>
  whyQuiet(finding, state, nowMs) === null;
