/** Ids that were merged into others, in this run or before. */
import type { ResourceId } from '../resource.ts';
import type { KnownIdentities } from './known.ts';

/** Joins upon joins are followed this far; a longer chain would be a mistake in the store. */
const MAX_HOPS = 32;

export interface Follow {
  /** The id that stands for this one now. */
  canonical(id: ResourceId): ResourceId;
  /** Every id that was merged into this one. */
  formerIds(id: ResourceId): readonly ResourceId[];
  /** Whether this run joins any. */
  readonly isAnythingMerged: boolean;
  /** Whether this run joins the id into another one. */
  isRedirected(id: string): boolean;
  /** Whether this run joins another id into this one. */
  isTarget(id: string): boolean;
}

export const createFollow = (known: KnownIdentities, redirects: ReadonlyMap<ResourceId, ResourceId>): Follow => {
  const inverse = Map.groupBy(redirects.keys(), (from) => redirects.get(from));
  const canonical = (id: ResourceId): ResourceId => {
    let at = id;
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const next = redirects.get(at) ?? known.mergedInto(at);
      if (next === undefined || next === id) break;
      at = next;
    }
    return at;
  };
  const formerIds = (id: ResourceId): readonly ResourceId[] => {
    const direct = known.formerIdsOf(id);
    if (direct.length === 0 && inverse.size === 0) return direct;
    const found = new Set<ResourceId>([id]);
    for (const at of found) {
      for (const former of [...known.formerIdsOf(at), ...(inverse.get(at) ?? [])]) found.add(former);
    }
    found.delete(id);
    return [...found];
  };
  return {
    canonical,
    formerIds,
    isAnythingMerged: redirects.size > 0,
    isRedirected: (id) => redirects.has(id as ResourceId),
    isTarget: (id) => inverse.has(id as ResourceId),
  };
};
