/** Keys that two things of one source claim: they tell nothing apart, and are left out of the run. */
import type { ResourceClaim } from '../claim.ts';
import type { SourceId } from '../resource.ts';
import { classOf } from './alias.ts';
import type { AmbiguousKey } from './problem.ts';

/** By claim: the keys that it has to do without. */
export type SharedKeys = ReadonlyMap<ResourceClaim, ReadonlySet<string>>;

interface Claimants {
  readonly first: ResourceClaim;
  /** Their handles, from the second claimant on. */
  refs: Set<string> | null;
}

/** Within one survey; parents are told apart by their claims, so that no id needs to be known. */
export const findSharedKeys = (
  sourceId: SourceId,
  claims: Iterable<ResourceClaim>,
  parentOf: (claim: ResourceClaim) => ResourceClaim | null,
  ambiguous: AmbiguousKey[],
): SharedKeys => {
  const byScope = new Map<ResourceClaim | null, Map<string, Map<string, Claimants>>>();
  const dropped = new Map<ResourceClaim, Set<string>>();
  const drop = (claim: ResourceClaim, key: string): void => {
    const keys = dropped.get(claim);
    if (keys === undefined) dropped.set(claim, new Set([key]));
    else keys.add(key);
  };
  for (const claim of claims) {
    const parent = parentOf(claim);
    for (const { key, scope } of claim.keys) {
      const claimants = within(byScope, scope === 'parent' ? parent : null, classOf(claim.kind));
      const known = claimants.get(key);
      if (known === undefined) claimants.set(key, { first: claim, refs: null });
      else if (known.first !== claim) {
        if (known.refs === null) {
          known.refs = new Set([known.first.ref]);
          ambiguous.push({ sourceId, key, refs: known.refs });
          drop(known.first, key);
        }
        known.refs.add(claim.ref);
        drop(claim, key);
      }
    }
  }
  return dropped;
};

const within = <S, V>(byScope: Map<S, Map<string, Map<string, V>>>, scope: S, kind: string): Map<string, V> => {
  let byKind = byScope.get(scope);
  if (byKind === undefined) {
    byKind = new Map();
    byScope.set(scope, byKind);
  }
  let byKey = byKind.get(kind);
  if (byKey === undefined) {
    byKey = new Map();
    byKind.set(kind, byKey);
  }
  return byKey;
};
