/** What an event made of a finding: its next state and the history rows that tell of it; or why it was refused. */
import type { Facts } from '../signals/resource.ts';
import type { Finding } from './finding.ts';
import type { Actor, Entry, EntryKind } from './history-entry.ts';

export interface Step {
  readonly ok: true;
  readonly finding: Finding;
  /** Empty: nothing that history has to know. */
  readonly entries: readonly Entry[];
}

export interface Refusal {
  readonly ok: false;
  readonly code: 'finding_action_not_allowed' | 'invalid_finding_request';
  readonly reason: string;
}

export type Outcome = Step | Refusal;

export const step = (finding: Finding, ...entries: readonly Entry[]): Step => ({ ok: true, finding, entries });
export const unchanged = (finding: Finding): Step => ({ ok: true, finding, entries: [] });
export const notAllowed = (reason: string): Refusal => ({ ok: false, code: 'finding_action_not_allowed', reason });
export const invalid = (reason: string): Refusal => ({ ok: false, code: 'invalid_finding_request', reason });

export const entry = (
  kind: EntryKind,
  { episode }: Pick<Finding, 'episode'>,
  atMs: number,
  actor: Actor,
  reason: string | null = null,
  data: Facts = {},
): Entry => ({ kind, episode, atMs, actor, reason, data });
