/** The durable record of one problem on one resource, for its whole life. */
import type { Category, Level, Severity, UnobservedCode } from '../signals/detector.ts';
import type { Unit } from '../signals/limits.ts';
import type { EvidenceId } from '../signals/reading.ts';
import type { Facts, ResourceId, SourceId } from '../signals/resource.ts';
import type { Investigation } from './investigation.ts';

export type FindingId = string;
export type RunId = string;

export const FILED_BY = ['model', 'signal', 'operator'] as const;
export type FiledBy = (typeof FILED_BY)[number];

export const FINDING_STATES = ['active', 'resolved'] as const;
export type FindingState = (typeof FINDING_STATES)[number];

export const DISPOSITIONS = ['none', 'acknowledged', 'snoozed', 'dismissed', 'suppressed'] as const;
export type DispositionKind = (typeof DISPOSITIONS)[number];

export const DISMISSAL_REASONS = ['not_an_issue', 'expected_behavior', 'will_fix_later'] as const;
export type DismissalReason = (typeof DISMISSAL_REASONS)[number];

/** What a decision was made at: anything clearly worse than this is news again. */
export interface Mark {
  readonly severity: Severity;
  /** Null: the finding had no figure. */
  readonly value: number | null;
  readonly unit: Unit | null;
}

interface Decision {
  readonly by: string;
  readonly atMs: number;
  readonly note: string | null;
  readonly mark: Mark;
}

export type Disposition =
  | { readonly kind: 'none' }
  | (Decision & { readonly kind: 'acknowledged' })
  | (Decision & { readonly kind: 'snoozed'; readonly untilMs: number })
  | (Decision & {
      readonly kind: 'dismissed';
      readonly reason: DismissalReason;
      /** When `will_fix_later` comes back. */
      readonly remindAtMs: number | null;
    })
  | { readonly kind: 'suppressed'; readonly suppressionId: string; readonly atMs: number };

export const undecided: Disposition = { kind: 'none' };

/** Why its last verdict is unobserved, and since when. */
export interface Stale {
  readonly code: UnobservedCode;
  readonly reason: string;
  readonly sinceMs: number;
}

/** Whole looks in a row that no longer held its subject. */
export interface Absence {
  readonly looks: number;
  readonly lastLookAtMs: number;
}

/** `merged`: its resource turned out to be another one, whose finding goes on. */
export type ResolvedBy = 'clear' | 'gone' | 'model' | 'operator' | 'merged';

export interface Resolution {
  readonly by: ResolvedBy;
  readonly reason: string | null;
  readonly atMs: number;
  /** False: an operator said so, and the data has not confirmed it yet. */
  readonly confirmed: boolean;
}

/** Readings that it stands on, by their ids within one run. */
export interface Citation {
  readonly runId: RunId;
  readonly ids: readonly EvidenceId[];
  /** How many more were cited than are kept. */
  readonly omitted?: number;
}

export interface Fix {
  readonly how: string;
  readonly episode: number;
  readonly atMs: number;
}

export interface Finding {
  readonly id: FindingId;
  readonly resourceId: ResourceId;
  /** With the resource its identity: a detector's type with its subject, or what a model called it. */
  readonly key: string;
  /** The detector whose verdicts rule it; null: none does, and only then a model or an operator may close it. */
  readonly detector: string | null;
  /** Who filed its present episode first. */
  readonly filedBy: FiledBy;
  readonly severity: Severity;
  readonly category: Category;
  readonly title: string;
  readonly summary: string;
  /** What a model adds to a detector's summary. */
  readonly explanation: string | null;
  readonly clearsWhen: string | null;
  readonly level: Level | null;
  readonly details: Facts;
  readonly sourceIds: readonly SourceId[];
  readonly evidence: Citation | null;
  /** Why a model did not file what a detector raised. */
  readonly declineReason: string | null;

  readonly state: FindingState;
  readonly disposition: Disposition;
  readonly stale: Stale | null;
  readonly absence: Absence | null;
  readonly foldedUnder: FindingId | null;
  readonly resolution: Resolution | null;

  /** From 1; a return after it was over is the next one. */
  readonly episode: number;
  /** Returns so far. */
  readonly regressions: number;
  readonly firstSeenAtMs: number;
  /** When the present episode began for patrold. */
  readonly openedAtMs: number;
  /** Since when the problem lasts, as far as the evidence tells. */
  readonly sinceMs: number;
  readonly lastSeenAtMs: number;
  /** When a detector last showed it in this episode; null: none has. */
  readonly lastSignalAtMs: number | null;

  readonly investigation: Investigation;
  /** What ended an earlier episode, where that is known. */
  readonly lastFix: Fix | null;
}

/** The figure of a finding as a decision remembers it. */
export const markOf = ({ severity, level }: Pick<Finding, 'severity' | 'level'>): Mark => ({
  severity,
  value: level?.value ?? null,
  unit: level?.unit ?? null,
});
