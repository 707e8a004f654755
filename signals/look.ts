/** What a run has seen of one resource: its readings parted into those that prove something and those that do not. */
import { type Freshness, freshness } from './freshness.ts';
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

export interface ResourceLook {
  readonly resource: Resource;
  readonly usable: readonly Reading[];
  readonly usableMask: number;
  readonly unusable: readonly Unusable[];
  readonly unusableMask: number;
  readonly expectedMask: number;
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

export const lookAt = (resource: Resource, readings: readonly Reading[], nowMs: number): ResourceLook => {
  let usableMask = 0;
  let unusable: Unusable[] | null = null;
  for (const reading of readings) {
    const why = whyUnusable(reading, nowMs);
    if (why === null) usableMask |= bitOf(reading.kind);
    else {
      unusable ??= [];
      unusable.push(why);
    }
  }
  const expectedMask = maskOf(resource.expects);
  if (unusable === null)
    return { resource, usable: readings, usableMask, unusable: NONE, unusableMask: 0, expectedMask };
  const bad = new Set(unusable.map(({ reading }) => reading));
  return {
    resource,
    usable: readings.filter((reading) => !bad.has(reading)),
    usableMask,
    unusable,
    unusableMask: maskOf(unusable.map(({ reading }) => reading.kind)),
    expectedMask,
  };
};

/** The usable readings of some kinds, in the order they came; the very array where that is all of them. */
export const readingsIn = ({ usable, usableMask }: ResourceLook, mask: number): readonly Reading[] =>
  (usableMask & ~mask) === 0 ? usable : usable.filter(({ kind }) => (bitOf(kind) & mask) !== 0);
