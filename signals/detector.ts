/** What a detector is, what it is given, and what it may answer. */
import type { ResourceHistory } from './history.ts';
import type { Bound, EffectiveLimit, LimitSpec, Unit } from './limit.ts';
import type { EvidenceId, ReadingKind, ReadingOf } from './reading.ts';
import type { Facts, Resource, ResourceId, ResourceKind, SourceId } from './resource.ts';
import type { GapCode } from './survey.ts';

/** Ascending. */
export const SEVERITIES = ['info', 'watch', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];
export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity);
export const isWorse = (a: Severity, b: Severity): boolean => severityRank(a) > severityRank(b);

export const CATEGORIES = [
  'performance',
  'capacity',
  'reliability',
  'backup',
  'security',
  'connectivity',
  'general',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** `warming_up` and `confirming` pass by themselves: the window fills, the second look comes. */
export type UnobservedCode = Exclude<GapCode, 'not_due'> | 'warming_up' | 'confirming' | 'no_reading' | 'source_failed';

/** A figure and the limit it broke, both in `unit`; what a notification may quote. */
export interface Level {
  readonly value: number;
  readonly limit: Bound | null;
  readonly unit: Unit;
  /** Which way is worse, where `limit` is null or does not tell; a count is worse above. */
  readonly direction?: 'above' | 'below';
}

/** A detector's answer about one subject of one resource; `subject: null` where there can only be one. */
export type Judgement =
  | {
      readonly state: 'raised';
      readonly subject: string | null;
      readonly severity: Severity;
      readonly level: Level | null;
      /** One sentence for people: what, how much, against which limit. Values carry their units. */
      readonly summary: string;
      /** What would clear it, for people. */
      readonly clearsWhen: string;
      readonly evidence: readonly EvidenceId[];
      /** Since when, where the evidence tells better than the time of the first look. */
      readonly sinceMs?: number;
      readonly details?: Facts;
      readonly bad?: BadStreak;
    }
  | {
      readonly state: 'clear';
      readonly subject: string | null;
    }
  | {
      readonly state: 'unobserved';
      readonly subject: string | null;
      readonly code: UnobservedCode;
      readonly reason: string;
      /** When asking again can bring another answer. */
      readonly retryAtMs?: number;
      /** A fault that has been seen but not long or often enough. */
      readonly bad?: BadStreak;
    };

/** An unbroken streak of looks that all showed the fault. */
export interface BadStreak {
  readonly sinceMs: number;
  readonly lastAtMs: number;
  readonly looks: number;
}

/** What a detector said last about one subject; kept between runs while it says more than "clear". */
export interface VerdictMemory {
  /** Null: it was not raised. */
  readonly severity: Severity | null;
  readonly level: number | null;
  /** The trigger that it was raised against; null or absent: none is known. */
  readonly trigger?: number | null;
  /** Since when it has been raised; meaningless where `severity` is null. */
  readonly sinceMs: number;
  readonly bad: BadStreak | null;
  readonly seenAtMs: number;
  /** Who raised it; unknown in memories from before this was kept. */
  readonly sourceIds?: readonly SourceId[];
}

export interface DetectorInput<K extends ReadingKind, L extends string> {
  readonly resource: Resource;
  /** Fresh readings of the kinds it reads, never empty. */
  readonly readings: readonly ReadingOf<K>[];
  readonly limits: Readonly<Record<L, EffectiveLimit>>;
  readonly history: ResourceHistory;
  /** What it said last about the subject. */
  before(subject: string | null): VerdictMemory | null;
  /** When the source of the readings was last surveyed to completion before this run; null: never. */
  readonly lastSurveyAtMs: number | null;
  readonly nowMs: number;
}

export interface Detector<K extends ReadingKind = ReadingKind, L extends string = string> {
  /** Signal type and first part of the finding key; snake_case, the file's name in kebab-case. */
  readonly type: string;
  /** Headline of its findings: `Disk is failing`. */
  readonly title: string;
  readonly category: Category;
  readonly kinds: readonly ResourceKind[];
  readonly reads: readonly K[];
  /**
   * `each`: judged per source, the worst answer counts. `together`: the readings of all sources are weighed at once.
   */
  readonly sources: 'each' | 'together';
  readonly limits: Readonly<Record<L, LimitSpec>>;
  /** For the docs: what it proves, what it can't, and why its numbers are what they are. */
  readonly explain: string;
  /** Scope: why there is no verdict about this resource, or null if there is one. */
  skip?(resource: Resource): string | null;
  detect(input: DetectorInput<K, L>): Judgement | readonly Judgement[];
}

/** A detector whose reading and limit types have been forgotten, so that many fit in one list. */
export interface AnyDetector extends Omit<Detector, 'detect'> {
  detect(input: DetectorInput<never, never>): Judgement | readonly Judgement[];
}

export const defineDetector = <K extends ReadingKind, L extends string>(detector: Detector<K, L>): AnyDetector =>
  // Sound because `evaluate` hands over only readings of `reads` and exactly the limits of `limits`.
  detector as unknown as AnyDetector;

/** What a raised verdict carries into matching and filing. */
export interface Signal {
  readonly type: string;
  readonly resourceId: ResourceId;
  readonly subject: string | null;
  /** `type`, or `type:subject`: with the resource the identity of a finding. */
  readonly key: string;
  readonly severity: Severity;
  readonly category: Category;
  readonly title: string;
  readonly summary: string;
  readonly clearsWhen: string;
  readonly level: Level | null;
  readonly sinceMs: number;
  readonly evidence: readonly EvidenceId[];
  readonly details: Facts;
  /** Sources whose readings raised it. */
  readonly sourceIds: readonly SourceId[];
}

interface VerdictBase {
  readonly detector: string;
  readonly resourceId: ResourceId;
  readonly subject: string | null;
  /** To be kept for the next look; null: nothing worth keeping. */
  readonly memory: VerdictMemory | null;
}

export type Verdict = VerdictBase &
  (
    | { readonly state: 'raised'; readonly signal: Signal }
    | { readonly state: 'clear' }
    | {
        readonly state: 'unobserved';
        readonly code: UnobservedCode;
        readonly reason: string;
        readonly retryAtMs: number | null;
      }
  );

export const issueKey = (type: string, subject: string | null): string =>
  subject === null ? type : `${type}:${subject}`;

const CLEAR: Judgement = { state: 'clear', subject: null };

/** Shorthands for answers. */
export const clear = (subject: string | null = null): Judgement =>
  subject === null ? CLEAR : { state: 'clear', subject };

export const unobserved = (
  code: UnobservedCode,
  reason: string,
  subject: string | null = null,
): Extract<Judgement, { readonly state: 'unobserved' }> => ({
  state: 'unobserved',
  subject,
  code,
  reason,
});
