/** Claims made ready for the resolver: in canonical order, with their parents, without what can't be told apart. */
import { hint, type IdentityKey, type ResourceClaim, type SourceClaims } from '../claim.ts';
import type { SourceId } from '../resource.ts';
import { namespaceOf, qualify } from './alias.ts';
import { linkParents } from './parents.ts';
import type { AmbiguousKey, IdentityProblem } from './problem.ts';
import { findSharedKeys, type SharedKeys } from './shared-keys.ts';

/** A key ready to be matched. */
export interface ClaimedKey extends IdentityKey {
  readonly namespace: string;
  /** As it is kept; null for what is unique within the parent only, until that is resolved. */
  readonly alias: string | null;
}

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
  readonly keys: readonly ClaimedKey[];
}

/** Every claim, by source and `ref`, and what was wrong with some of them. */
export interface Prepared {
  /** By source in config order, then in an order that does not depend on how the survey listed them. */
  readonly claimed: readonly Claimed[];
  readonly bySource: ReadonlyMap<SourceId, ReadonlyMap<string, Claimed>>;
  readonly ambiguous: readonly AmbiguousKey[];
  readonly problems: readonly IdentityProblem[];
}

export const prepareClaims = (surveys: readonly SourceClaims[]): Prepared => {
  const claimed: Claimed[] = [];
  const bySource = new Map<SourceId, ReadonlyMap<string, Claimed>>();
  const ambiguous: AmbiguousKey[] = [];
  const problems: IdentityProblem[] = [];
  surveys.forEach(({ sourceId, claims }, order) => {
    const byRef = canonical(sourceId, claims, problems);
    const { parentOf, depthOf } = linkParents(sourceId, byRef, problems);
    const shared = findSharedKeys(sourceId, byRef.values(), parentOf, ambiguous);
    const made = new Map<string, Claimed>();
    for (const claim of parentsFirst(byRef.values(), depthOf)) {
      const parent = made.get(parentOf(claim)?.ref ?? '') ?? null;
      const keys = usableKeys(sourceId, claim, parent !== null, shared);
      const one = { claim, sourceId, order, parent, depth: depthOf(claim), keys };
      made.set(claim.ref, one);
      claimed.push(one);
    }
    bySource.set(sourceId, made);
  });
  return { claimed, bySource, ambiguous, problems };
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

const parentsFirst = (
  claims: Iterable<ResourceClaim>,
  depthOf: (claim: ResourceClaim) => number,
): readonly ResourceClaim[] => {
  const levels: ResourceClaim[][] = [];
  for (const claim of claims) {
    const level = levels[depthOf(claim)];
    if (level === undefined) levels[depthOf(claim)] = [claim];
    else level.push(claim);
  }
  return levels.flat();
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
  shared: SharedKeys,
): readonly ClaimedKey[] => {
  const dropped = shared.get(claim);
  const isOrphan = claim.parentRef !== null && !hasParent;
  const usable: ClaimedKey[] = [];
  for (const key of claim.keys) {
    if (dropped?.has(key.key) === true || (isOrphan && key.scope === 'parent')) continue;
    if (usable.some((other) => other.key === key.key && other.scope === key.scope)) continue;
    usable.push(ready(claim, key, hasParent));
  }
  return usable.length > 0 ? usable : [ready(claim, handleKey(sourceId, claim.ref), hasParent)];
};

const ready = ({ kind }: ResourceClaim, { key, scope, strength }: IdentityKey, hasParent: boolean): ClaimedKey => ({
  key,
  scope,
  strength,
  namespace: namespaceOf(key),
  // At a root there is nothing to be unique within but the world.
  alias: scope === 'parent' && hasParent ? null : qualify(kind, null, key),
});
