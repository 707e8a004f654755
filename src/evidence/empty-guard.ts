/**
 * A list that comes back empty after a non-empty one is not believed the first time (DETECTORS.md rule 12): the answer
 * of a source that has lost its rights or its mind looks the same as an empty house.
 */
import type { ResourceKind } from '../../signals/resource.ts';
import type { Gap, Survey } from '../../signals/survey.ts';
import type { Inventory } from './inventory-store.ts';

export interface GuardedSurvey {
  readonly survey: Survey;
  /** Kinds whose list came back empty now; to be handed in again at the next survey, where that is believed. */
  readonly emptied: readonly ResourceKind[];
}

/** How many resources of each kind the inventory has from one source. */
export const heldBy = (inventory: Inventory, sourceId: string): ReadonlyMap<ResourceKind, number> => {
  const held = new Map<ResourceKind, number>();
  for (const resource of inventory.resources.values()) {
    if (resource.goneAtMs !== null || !resource.sourceIds.includes(sourceId)) continue;
    held.set(resource.kind, (held.get(resource.kind) ?? 0) + 1);
  }
  return held;
};

export const guardEmpty = (
  survey: Survey,
  held: ReadonlyMap<ResourceKind, number>,
  emptiedBefore: readonly string[],
): GuardedSurvey => {
  if (survey.outcome === 'failed') return { survey, emptied: [] };
  const claimed = new Set(survey.claims.map(({ kind }) => kind));
  const listed = new Set(survey.listed.map(({ kind }) => kind));
  const emptied = [...listed].filter((kind) => !claimed.has(kind) && (held.get(kind) ?? 0) > 0);
  const doubted = emptied.filter((kind) => !emptiedBefore.includes(kind));
  if (doubted.length === 0) return { survey, emptied };
  const gaps: Gap[] = doubted.map((kind) => ({
    ref: null,
    reads: [],
    code: 'empty',
    reason: `the list of ${kind}s came back empty where there were ${held.get(kind) ?? 0}: not believed the first time`,
  }));
  return {
    survey: {
      ...survey,
      outcome: 'partial',
      reason: survey.reason ?? gaps[0]?.reason ?? null,
      gaps: [...survey.gaps, ...gaps],
      listed: survey.listed.filter(({ kind }) => !doubted.includes(kind)),
    },
    emptied,
  };
};
