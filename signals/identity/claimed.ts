/** Claims made ready for the resolver: in canonical order, with their parents, without what can't be told apart. */
import { hint, type IdentityKey, type ResourceClaim, type SourceClaims } from '../claim.ts';
import type { SourceId } from '../resource.ts';
import { classOf } from './alias.ts';
import { linkParents } from './parents.ts';
import type { AmbiguousKey, IdentityProblem } from './problem.ts';

/** One claim with its place in its survey. */
export interface Claimed {
  readonly claim: ResourceClaim;
  readonly sourceId: SourceId;
  /** Of its source in the config. */
  readonly order: number;
  readonly parent: Claimed | null;
  /** 0 at a root. */
  readonly depth: number;
  /** Strongest first, each once, never empty. */
  readonly keys: readonly IdentityKey[];
}

/** Every claim, by source and `ref`, and what was wrong with some of them. */
export interface Prepared {
  /** By source in config order, then in an order that does not depend on how the survey listed them. */
  readonly claimed: readonly Claimed[];
  readonly ambiguous: readonly AmbiguousKey[];
  readonly problems: readonly IdentityProblem[];
}

export const prepareClaims = (surveys: readonly SourceClaims[]): Prepared => {
  const claimed: Claimed[] = [];
  const ambiguous: AmbiguousKey[] = [];
  const problems: IdentityProblem[] = [];
  surveys.forEach(({ sourceId, claims }, order) => {
    const byRef = canonical(sourceId, claims, problems);
    const { parentOf, depthOf } = linkParents(sourceId, byRef, problems);
    const shared = sharedKeys(sourceId, byRef.values(), parentOf, ambiguous);
    const made = new Map<ResourceClaim, Claimed>();
    for (const claim of [...byRef.values()].sort((a, b) => depthOf(a) - depthOf(b))) {
      const parentClaim = parentOf(claim);
      const parent = parentClaim === null ? null : (made.get(parentClaim) ?? null);
      const keys = usableKeys(sourceId, claim, parent !== null, shared);
      const one = { claim, sourceId, order, parent, depth: depthOf(claim), keys };
      made.set(claim, one);
      claimed.push(one);
    }
  });
  return { claimed, ambiguous, problems };
};

/** By `ref`, sorted by what the things are rather than by how they were listed. */
const canonical = (
  sourceId: SourceId,
  claims: readonly ResourceClaim[],
  problems: IdentityProblem[],
): ReadonlyMap<string, ResourceClaim> => {
  const byRef = new Map<string, ResourceClaim>();
  for (const claim of claims.toSorted(inCanonicalOrder)) {
    if (byRef.has(claim.ref)) problems.push({ kind: 'duplicate_ref', sourceId, ref: claim.ref });
    else byRef.set(claim.ref, claim);
  }
  return byRef;
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const inCanonicalOrder = (a: ResourceClaim, b: ResourceClaim): number => {
  const length = Math.min(a.keys.length, b.keys.length);
  for (let index = 0; index < length; index += 1) {
    const order = compare(a.keys[index]?.key ?? '', b.keys[index]?.key ?? '');
    if (order !== 0) return order;
  }
  return a.keys.length - b.keys.length || compare(a.name, b.name) || compare(a.ref, b.ref) || compare(a.kind, b.kind);
};

type ParentOf = (claim: ResourceClaim) => ResourceClaim | null;

/** Of a thing whose parent is known by its `ref` only, so that keys can be compared before any id is known. */
const keyWithin = (claim: ResourceClaim, parent: ResourceClaim | null, { key, scope }: IdentityKey): string =>
  `${classOf(claim.kind)}\n${scope === 'parent' && parent !== null ? `in ${parent.ref}` : ''}\n${key}`;

/** Keys that two things of one source claim: they tell nothing apart, and are left out of this run. */
const sharedKeys = (
  sourceId: SourceId,
  claims: Iterable<ResourceClaim>,
  parentOf: ParentOf,
  ambiguous: AmbiguousKey[],
): ReadonlyMap<ResourceClaim, ReadonlySet<string>> => {
  const first = new Map<string, ResourceClaim>();
  const refs = new Map<string, Set<string>>();
  const dropped = new Map<ResourceClaim, Set<string>>();
  const drop = (claim: ResourceClaim, key: string): void => {
    const keys = dropped.get(claim);
    if (keys === undefined) dropped.set(claim, new Set([key]));
    else keys.add(key);
  };
  for (const claim of claims) {
    for (const key of claim.keys) {
      const text = keyWithin(claim, parentOf(claim), key);
      const owner = first.get(text);
      if (owner === undefined) first.set(text, claim);
      else if (owner !== claim) {
        drop(owner, key.key);
        drop(claim, key.key);
        const named = refs.get(text);
        if (named === undefined) {
          const both = new Set([owner.ref, claim.ref]);
          refs.set(text, both);
          ambiguous.push({ sourceId, key: key.key, refs: both });
        } else named.add(claim.ref);
      }
    }
  }
  return dropped;
};

/** The source's own handle as a key: the last resort, since it holds neither for other sources nor through a rename. */
export const handleKey = (sourceId: SourceId, ref: string): IdentityKey => hint(`ref:${sourceId}/${ref}`);

/**
 * The keys by which a claim can be matched. A thing that has none left is recognised by its source's own handle, so
 * that it does not become another resource in every run.
 */
const usableKeys = (
  sourceId: SourceId,
  claim: ResourceClaim,
  hasParent: boolean,
  shared: ReadonlyMap<ResourceClaim, ReadonlySet<string>>,
): readonly IdentityKey[] => {
  const dropped = shared.get(claim);
  const orphan = claim.parentRef !== null && !hasParent;
  const usable =
    dropped === undefined && !orphan && claim.keys.length === 1
      ? claim.keys
      : claim.keys.filter(
          ({ key, scope }, index) =>
            !(dropped?.has(key) ?? false) &&
            !(orphan && scope === 'parent') &&
            claim.keys.findIndex((other) => other.key === key && other.scope === scope) === index,
        );
  return usable.length > 0 ? usable : [handleKey(sourceId, claim.ref)];
};
