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

export interface ResourceLook {
  readonly resource: Resource;
  readonly usable: readonly Reading[];
  readonly usableMask: number;
  readonly unusable: readonly Unusable[];
  readonly unusableMask: number;
  readonly expectedMask: number;
  /** Looked up when first asked for, once a resource. */
  history(): ResourceHistory;
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

export const lookAt = (
  resource: Resource,
  readings: readonly Reading[],
  history: History,
  nowMs: number,
): ResourceLook => {
  const unusable = unusableIn(readings, nowMs);
  const usable = unusable.length === 0 ? readings : without(readings, unusable);
  let past: ResourceHistory | undefined;
  return {
    resource,
    usable,
    usableMask: kindsOf(usable),
    unusable,
    unusableMask: unusable.length === 0 ? 0 : kindsOf(unusable.map(({ reading }) => reading)),
    expectedMask: maskOf(resource.expects),
    history: () => {
      past ??= history.of(resource.id);
      return past;
    },
  };
};

/** The usable readings of some kinds, in the order they came; the very array where that is all of them. */
export const readingsIn = ({ usable, usableMask }: ResourceLook, mask: number): readonly Reading[] =>
  (usableMask & ~mask) === 0 ? usable : usable.filter(({ kind }) => (bitOf(kind) & mask) !== 0);
