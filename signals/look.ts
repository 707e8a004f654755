/** What a run has seen of one resource: its readings parted into those that prove something and those that do not. */
import { type Freshness, freshness } from './freshness.ts';
import type { History, ResourceHistory } from './history.ts';
import { implausible } from './plausible.ts';
import type { Reading } from './reading.ts';
import { bitOf, maskOf } from './reading-mask.ts';
import type { Resource } from './resource.ts';
import type { GapCode } from './survey.ts';

/** A reading that proves nothing, and why. */
export interface Unusable {
  readonly reading: Reading;
  readonly code: Extract<GapCode, 'stale' | 'future' | 'malformed'>;
  readonly reason: string;
}

/** A class, since what is rarely asked for (the past, what was expected) is found out only then, and once. */
export class ResourceLook {
  readonly resource: Resource;
  readonly usable: readonly Reading[];
  readonly usableMask: number;
  readonly unusable: readonly Unusable[];
  readonly unusableMask: number;
  readonly #history: History;
  #past: ResourceHistory | undefined;
  #expectedMask = -1;

  constructor(resource: Resource, readings: readonly Reading[], history: History, nowMs: number) {
    const unusable = unusableIn(readings, nowMs);
    this.resource = resource;
    this.unusable = unusable;
    this.usable = unusable.length === 0 ? readings : without(readings, unusable);
    this.usableMask = kindsOf(this.usable);
    this.unusableMask = unusable.length === 0 ? 0 : kindsOf(unusable.map(({ reading }) => reading));
    this.#history = history;
  }

  get history(): ResourceHistory {
    this.#past ??= this.#history.of(this.resource.id);
    return this.#past;
  }

  /** Whether any of these kinds was read, or should have been. */
  concerns(mask: number): boolean {
    if (((this.usableMask | this.unusableMask) & mask) !== 0) return true;
    if (this.#expectedMask < 0) this.#expectedMask = maskOf(this.resource.expects);
    return (this.#expectedMask & mask) !== 0;
  }

  /** The usable readings of some kinds, in the order they came; the very array where that is all of them. */
  readingsIn(mask: number): readonly Reading[] {
    if ((this.usableMask & ~mask) === 0) return this.usable;
    return this.usable.filter(({ kind }) => (bitOf(kind) & mask) !== 0);
  }
}

const NONE: readonly Unusable[] = [];

const REASONS: Readonly<Record<Exclude<Freshness, 'fresh'>, string>> = {
  stale: 'the newest reading is too old',
  future: "the reading is dated in the future: check the source's clock",
};

const whyUnusable = (reading: Reading, nowMs: number): Unusable | null => {
  const age = freshness(reading.kind, reading.takenAtMs, nowMs);
  if (age !== 'fresh') return { reading, code: age, reason: REASONS[age] };
  const nonsense = implausible(reading);
  return nonsense === null ? null : { reading, code: 'malformed', reason: nonsense };
};

const unusableIn = (readings: readonly Reading[], nowMs: number): readonly Unusable[] => {
  let found: Unusable[] | null = null;
  for (const reading of readings) {
    const why = whyUnusable(reading, nowMs);
    if (why === null) continue;
    found ??= [];
    found.push(why);
  }
  return found ?? NONE;
};

const without = (readings: readonly Reading[], unusable: readonly Unusable[]): readonly Reading[] => {
  const bad = new Set(unusable.map(({ reading }) => reading));
  return readings.filter((reading) => !bad.has(reading));
};

const kindsOf = (readings: readonly Reading[]): number => {
  let mask = 0;
  for (const { kind } of readings) mask |= bitOf(kind);
  return mask;
};
