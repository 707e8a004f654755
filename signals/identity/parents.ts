/** Parents within one survey: found by `ref`, cycles broken. */
import type { ResourceClaim } from '../claim.ts';
import type { SourceId } from '../resource.ts';
import type { IdentityProblem } from './problem.ts';

/** cluster, node, guest, pool, dataset … real trees are half as deep. */
const MAX_DEPTH = 16;

export interface ParentLinks {
  /** Null at a root, and where the parent is missing or the chain was broken. */
  parentOf(claim: ResourceClaim): ResourceClaim | null;
  depthOf(claim: ResourceClaim): number;
}

/** Walks up from every claim once. A cycle is broken at the member with the smallest `ref`. */
export const linkParents = (
  sourceId: SourceId,
  byRef: ReadonlyMap<string, ResourceClaim>,
  problems: IdentityProblem[],
): ParentLinks => {
  const parents = new Map<ResourceClaim, ResourceClaim>();
  const depths = new Map<ResourceClaim, number>();
  for (const claim of byRef.values()) {
    if (claim.parentRef === null) continue;
    const parent = byRef.get(claim.parentRef);
    if (parent !== undefined) parents.set(claim, parent);
    else problems.push({ kind: 'parent_missing', sourceId, ref: claim.ref, parentRef: claim.parentRef });
  }
  const cut = (claim: ResourceClaim): void => {
    parents.delete(claim);
    problems.push({ kind: 'parent_cycle', sourceId, ref: claim.ref, parentRef: claim.parentRef ?? '' });
  };
  for (const claim of byRef.values()) {
    const path = pathUp(claim, parents, depths);
    const top = path.at(-1);
    const loop = top === undefined ? undefined : parents.get(top);
    if (loop !== undefined && path.includes(loop)) {
      const members = path.slice(path.indexOf(loop));
      cut(members.reduce((least, member) => (member.ref < least.ref ? member : least)));
    }
    settleDepths(claim, parents, depths, cut);
  }
  return {
    parentOf: (claim) => parents.get(claim) ?? null,
    depthOf: (claim) => depths.get(claim) ?? 0,
  };
};

/** The claim and its ancestors up to a root, one of known depth, or the last before the path would repeat. */
const pathUp = (
  claim: ResourceClaim,
  parents: ReadonlyMap<ResourceClaim, ResourceClaim>,
  depths: ReadonlyMap<ResourceClaim, number>,
): readonly ResourceClaim[] => {
  const path: ResourceClaim[] = [];
  const seen = new Set<ResourceClaim>();
  for (
    let at: ResourceClaim | undefined = claim;
    at !== undefined && !depths.has(at) && !seen.has(at);
    at = parents.get(at)
  ) {
    seen.add(at);
    path.push(at);
  }
  return path;
};

const settleDepths = (
  claim: ResourceClaim,
  parents: ReadonlyMap<ResourceClaim, ResourceClaim>,
  depths: Map<ResourceClaim, number>,
  cut: (claim: ResourceClaim) => void,
): void => {
  for (const member of pathUp(claim, parents, depths).toReversed()) {
    const parent = parents.get(member);
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1;
    if (depth <= MAX_DEPTH) depths.set(member, depth);
    else {
      cut(member);
      depths.set(member, 0);
    }
  }
};
