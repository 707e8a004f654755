/** One transition of a finding, as its append-only history keeps it. */
import type { Facts } from '../signals/resource.ts';

export const ENTRY_KINDS = [
  'opened',
  'regressed',
  'reopened',
  'worsened',
  'eased',
  'escalated',
  'cleared',
  'gone',
  'resolved',
  'confirmed',
  'stale',
  'observed',
  'folded',
  'unfolded',
  'acknowledged',
  'unacknowledged',
  'snoozed',
  'unsnoozed',
  'snooze_expired',
  'dismissed',
  'undismissed',
  'reminder',
  'suppressed',
  'unsuppressed',
  'noted',
  'claimed',
  'assessed',
  'investigation_started',
  'investigation_ended',
  'fix_progressed',
  'moved',
  'merged',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** What a person wants to hear of, if the finding counts; the rest is for looking up. */
const NEWS: readonly EntryKind[] = [
  'opened',
  'regressed',
  'reopened',
  'worsened',
  'escalated',
  'cleared',
  'gone',
  'reminder',
];
export const isNews = (kind: EntryKind): boolean => NEWS.includes(kind);

export interface Actor {
  readonly kind: 'patrold' | 'operator' | 'model';
  /** Who, where there are several: a user, a token, a model. */
  readonly name: string | null;
}

export const patrold: Actor = { kind: 'patrold', name: null };
export const operator = (name: string): Actor => ({ kind: 'operator', name });
export const model = (name: string | null): Actor => ({ kind: 'model', name });

export interface Entry {
  readonly kind: EntryKind;
  readonly episode: number;
  readonly atMs: number;
  readonly actor: Actor;
  readonly reason: string | null;
  /** Small facts: `from`, `to`, `value`, `untilMs`. */
  readonly data: Facts;
}
