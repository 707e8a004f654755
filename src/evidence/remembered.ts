/** Resources that the inventory knows and this run did not see: unseen, absent for the first time, or gone. */
import type { ResourceGap } from '../../signals/evaluate.ts';
import type { Resource, ResourceId, SourceId } from '../../signals/resource.ts';
import type { Survey } from '../../signals/survey.ts';
import type { Inventory, InventoryChange, KeptResource } from './inventory-store.ts';
import { LOOKS_UNTIL_GONE } from './verdict-store.ts';

export interface RememberedInput {
  readonly inventory: Inventory;
  readonly seen: ReadonlySet<ResourceId>;
  /** Surveys of this run by source. */
  readonly surveys: ReadonlyMap<SourceId, Survey>;
  /** Every source that the config names, surveyed in this run or not. */
  readonly configured: ReadonlySet<SourceId>;
  readonly idOf: (sourceId: SourceId, ref: string) => ResourceId | null;
}

export interface Remembered {
  /** Still part of the world, with every check of them unobserved. */
  readonly resources: readonly Resource[];
  readonly gaps: ReadonlyMap<ResourceId, readonly ResourceGap[]>;
  readonly absent: InventoryChange['absent'];
}

type Standing =
  | { readonly kind: 'not_asked' }
  | { readonly kind: 'unseen'; readonly gap: ResourceGap }
  | { readonly kind: 'absent' };

/** `<source>\n<kind>\n<parent id>`; an empty parent spans the source. */
const listKey = (sourceId: SourceId, kind: string, parentId: string | null): string =>
  `${sourceId}\n${kind}\n${parentId ?? ''}`;

const completeLists = ({ surveys, idOf }: RememberedInput): ReadonlySet<string> => {
  const lists = new Set<string>();
  for (const { sourceId, listed } of surveys.values()) {
    for (const { kind, parentRef } of listed) {
      if (parentRef === null) lists.add(listKey(sourceId, kind, null));
      else {
        const parentId = idOf(sourceId, parentRef);
        if (parentId !== null) lists.add(listKey(sourceId, kind, parentId));
      }
    }
  }
  return lists;
};

/** A source that only adds to things of others, as a backup server to guests, has no say in whether they are there. */
const onlyAttaches = ({ claims }: Survey, kind: KeptResource['kind']): boolean => {
  const own = claims.filter((claim) => claim.kind === kind);
  return own.length > 0 && own.every(({ attachesTo }) => attachesTo !== null);
};

const standing = (
  resource: KeptResource,
  sourceId: SourceId,
  input: RememberedInput,
  lists: ReadonlySet<string>,
): Standing => {
  // The operator took the source out of the config: what only it knew is no longer watched.
  if (!input.configured.has(sourceId)) return { kind: 'absent' };
  const survey = input.surveys.get(sourceId);
  if (survey === undefined) return { kind: 'not_asked' };
  if (survey.outcome === 'failed') {
    return {
      kind: 'unseen',
      gap: { sourceId, reads: [], code: 'source_failed', reason: `${sourceId}: ${survey.reason ?? 'failed'}` },
    };
  }
  if (
    lists.has(listKey(sourceId, resource.kind, null)) ||
    lists.has(listKey(sourceId, resource.kind, resource.parentId))
  )
    return { kind: 'absent' };
  if (onlyAttaches(survey, resource.kind)) return { kind: 'absent' };
  const [gap] = survey.gaps;
  const reason = gap?.reason ?? 'the source did not list it, nor say that its list was whole';
  return {
    kind: 'unseen',
    gap: { sourceId, reads: [], code: gap?.code === 'not_due' ? 'not_due' : 'cut_short', reason },
  };
};

/** With its owner gone, nobody is left to list a thing. */
const withOrphans = (absent: InventoryChange['absent'], input: RememberedInput): InventoryChange['absent'] => {
  const gone = new Map(absent.map((entry) => [entry.id, entry]));
  const isGone = (id: ResourceId | null): boolean => id !== null && gone.get(id)?.gone === true;
  for (let grew = true; grew; ) {
    grew = false;
    for (const resource of input.inventory.resources.values()) {
      if (
        resource.goneAtMs !== null ||
        input.seen.has(resource.id) ||
        isGone(resource.id) ||
        !isGone(resource.parentId)
      )
        continue;
      gone.set(resource.id, { id: resource.id, absentLooks: LOOKS_UNTIL_GONE, gone: true });
      grew = true;
    }
  }
  return [...gone.values()];
};

const toResource = ({ seenAtMs: _seen, absentLooks: _absent, goneAtMs: _gone, ...kept }: KeptResource): Resource => ({
  ...kept,
  status: 'unknown',
  presence: 'remembered',
});

export const remembered = (input: RememberedInput): Remembered => {
  const lists = completeLists(input);
  const unseen: { readonly resource: KeptResource; readonly gaps: readonly ResourceGap[] }[] = [];
  const absent: { id: ResourceId; absentLooks: number; gone: boolean }[] = [];
  for (const resource of input.inventory.resources.values()) {
    if (resource.goneAtMs !== null || input.seen.has(resource.id)) continue;
    const standings = resource.sourceIds.map((sourceId) => standing(resource, sourceId, input, lists));
    const gaps = standings.flatMap((found) => (found.kind === 'unseen' ? [found.gap] : []));
    if (standings.length > 0 && standings.every(({ kind }) => kind === 'absent')) {
      const absentLooks = resource.absentLooks + 1;
      absent.push({ id: resource.id, absentLooks, gone: absentLooks >= LOOKS_UNTIL_GONE });
      const reason = 'no longer listed; looked for once more before it counts as gone';
      const [sourceId = ''] = resource.sourceIds;
      unseen.push({ resource, gaps: [{ sourceId, reads: [], code: 'confirming', reason }] });
    } else if (gaps.length > 0) unseen.push({ resource, gaps });
  }
  const whole = withOrphans(absent, input);
  const gone = new Set(whole.filter((entry) => entry.gone).map(({ id }) => id));
  const kept = unseen.filter(({ resource }) => !gone.has(resource.id));
  return {
    resources: kept.map(({ resource }) => toResource(resource)),
    gaps: new Map(kept.map(({ resource, gaps }) => [resource.id, gaps])),
    absent: whole,
  };
};
