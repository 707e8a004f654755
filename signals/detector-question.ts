/** What a detector is asked with. A class, since its getters cost nothing until a detector reads them. */
import type { DetectorInput, VerdictMemory } from './detector.ts';
import type { EvaluateInput } from './evaluation.ts';
import type { ResourceHistory } from './history.ts';
import type { EffectiveLimit } from './limit.ts';
import type { ResourceLook } from './look.ts';
import type { Reading, ReadingKind } from './reading.ts';
import type { Resource } from './resource.ts';

interface Asked {
  readonly input: EvaluateInput;
  readonly look: ResourceLook;
  readonly before: ReadonlyMap<string, VerdictMemory> | undefined;
  readonly readings: readonly Reading[];
  readonly limits: Readonly<Record<string, EffectiveLimit>>;
}

const nothingBefore = (): null => null;

export class DetectorQuestion implements DetectorInput<ReadingKind, string> {
  readonly readings: DetectorInput<ReadingKind, string>['readings'];
  readonly limits: Asked['limits'];
  /** A property, since detectors take it out of its object. */
  readonly before: (subject: string | null) => VerdictMemory | null;
  readonly #input: EvaluateInput;
  readonly #look: ResourceLook;

  constructor({ input, look, before, readings, limits }: Asked) {
    // Only readings of the detector's `reads` are here; the union can't express it.
    this.readings = readings as DetectorInput<ReadingKind, string>['readings'];
    this.limits = limits;
    this.before = before === undefined ? nothingBefore : (subject) => before.get(subject ?? '') ?? null;
    this.#input = input;
    this.#look = look;
  }

  get resource(): Resource {
    return this.#look.resource;
  }

  get history(): ResourceHistory {
    return this.#look.history();
  }

  get lastSurveyAtMs(): number | null {
    return this.#input.world.lastSurveyAtMs(this.readings[0]?.sourceId ?? '');
  }

  get nowMs(): number {
    return this.#input.nowMs;
  }

  /** For a detector whose kinds of readings have been forgotten. */
  get untyped(): DetectorInput<never, never> {
    return this as unknown as DetectorInput<never, never>;
  }
}
