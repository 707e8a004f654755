/** One detector before one resource, and what the detector is asked with. */
import type { AnyDetector, DetectorInput, VerdictMemory } from './detector.ts';
import type { Collector, EvaluateInput } from './evaluation.ts';
import type { ResourceHistory } from './history.ts';
import type { EffectiveLimit } from './limit.ts';
import type { ResourceLook } from './look.ts';
import type { Reading, ReadingKind } from './reading.ts';
import type { Resource } from './resource.ts';

export type Limits = Readonly<Record<string, EffectiveLimit>>;
export type Before = ReadonlyMap<string, VerdictMemory> | undefined;

const nothingBefore = (): null => null;

export interface Case {
  readonly input: EvaluateInput;
  readonly detector: AnyDetector;
  readonly mask: number;
  readonly look: ResourceLook;
  readonly before: Before;
  readonly out: Collector;
}

/** A class, since its getters cost nothing until a detector reads them. */
export class DetectorQuestion implements DetectorInput<ReadingKind, string> {
  readonly readings: DetectorInput<ReadingKind, string>['readings'];
  readonly limits: Limits;
  /** A property, since detectors take it out of its object. */
  readonly before: (subject: string | null) => VerdictMemory | null;
  readonly #at: Case;

  constructor(at: Case, readings: readonly Reading[], limits: Limits) {
    const { before } = at;
    // Only readings of the detector's `reads` are here; the union can't express it.
    this.readings = readings as DetectorInput<ReadingKind, string>['readings'];
    this.limits = limits;
    this.before = before === undefined ? nothingBefore : (subject) => before.get(subject ?? '') ?? null;
    this.#at = at;
  }

  get resource(): Resource {
    return this.#at.look.resource;
  }

  get history(): ResourceHistory {
    return this.#at.look.history;
  }

  get lastSurveyAtMs(): number | null {
    return this.#at.input.world.lastSurveyAtMs(this.readings[0]?.sourceId ?? '');
  }

  get nowMs(): number {
    return this.#at.input.nowMs;
  }

  /** For a detector whose kinds of readings have been forgotten. */
  get untyped(): DetectorInput<never, never> {
    return this as unknown as DetectorInput<never, never>;
  }
}
