/** What an evaluation is given and what comes out of it. */
import type { AnyDetector, Verdict, VerdictMemory } from './detector.ts';
import type { History } from './history.ts';
import type { LimitResolver } from './limits.ts';
import type { Reading, ReadingKind } from './reading.ts';
import type { Resource, ResourceId, SourceId } from './resource.ts';
import type { GapCode } from './survey.ts';

/** Why readings of a resource are missing, after the sources' gaps were mapped to resources. */
export interface ResourceGap {
  readonly sourceId: SourceId;
  readonly reads: readonly ReadingKind[];
  readonly code: GapCode | 'source_failed' | 'confirming';
  readonly reason: string;
}

/** The run's evidence, as detectors may see it. */
export interface World {
  readonly resources: readonly Resource[];
  readingsOf(id: ResourceId): readonly Reading[];
  gapsOf(id: ResourceId): readonly ResourceGap[];
  lastSurveyAtMs(sourceId: SourceId): number | null;
}

/** What detectors said before, by subject (`''` stands for none). */
export interface Memories {
  of(detector: string, resourceId: ResourceId): ReadonlyMap<string, VerdictMemory> | undefined;
  /** All of one resource, by detector: asked once a resource instead of `of`, where it is there. */
  onResource?(resourceId: ResourceId): ReadonlyMap<string, ReadonlyMap<string, VerdictMemory>> | undefined;
}

export interface EvaluateInput {
  readonly world: World;
  readonly detectors: readonly AnyDetector[];
  readonly limits: LimitResolver;
  readonly history: History;
  readonly memories: Memories;
  readonly nowMs: number;
}

/** `not_due` passes; the others say that the check does not apply, so that what it raised before is over. */
export type SkipCode = 'out_of_scope' | 'switched_off' | 'not_due';

export interface Skip {
  readonly detector: string;
  readonly resourceId: ResourceId;
  readonly code: SkipCode;
  readonly reason: string;
}

export interface AbsentSubject {
  readonly detector: string;
  readonly resourceId: ResourceId;
  readonly subject: string;
  /** When the newest reading of the look was received: two looks at the same readings are one. */
  readonly lookAtMs: number;
}

/** A detector that threw: our bug. Its verdicts there are unobserved; the others are not touched. */
export interface DetectorFailure {
  readonly detector: string;
  readonly resourceId: ResourceId;
  readonly error: unknown;
}

export interface Evaluation {
  readonly verdicts: readonly Verdict[];
  /** Out of scope, or not due in this run: outside coverage. */
  readonly skipped: readonly Skip[];
  /** Subjects remembered as more than clear that a whole look no longer holds. */
  readonly absent: readonly AbsentSubject[];
  /** To be logged and counted by the caller. */
  readonly failures: readonly DetectorFailure[];
}

/** An evaluation while it is being made. */
export interface Collector {
  readonly verdicts: Verdict[];
  readonly skipped: Skip[];
  readonly absent: AbsentSubject[];
  readonly failures: DetectorFailure[];
}
