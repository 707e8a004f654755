/** What all sources say of one thing, as one resource. */
import type { SourceClaims } from '../claim.ts';
import type { Facts, Resource, ResourceId, ResourceKind, ResourceStatus, SourceId } from '../resource.ts';
import type { Member, Thing } from './thing.ts';

export interface JoinContext {
  readonly surveys: readonly SourceClaims[];
  /** As it was last seen. */
  rememberedOf(id: ResourceId): Resource | undefined;
  /** From the config. */
  tagsOf(id: ResourceId): readonly string[];
}

/** Sources that did not see everything in this run: what they said before still stands. */
const blindSources = (surveys: readonly SourceClaims[]): ReadonlySet<SourceId> =>
  new Set(surveys.filter(({ whole = true }) => !whole).map(({ sourceId }) => sourceId));

/**
 * Joins claims and memory. A source that saw it last, and could not look properly now, stays one of its sources: what
 * it undertook to deliver is then unobserved rather than forgotten, and what it said still holds where nobody says more.
 */
export const createJoiner = (context: JoinContext): ((thing: Thing, id: ResourceId) => Resource) => {
  const blind = blindSources(context.surveys);
  const order = new Map(context.surveys.map(({ sourceId }, index) => [sourceId, index]));
  const union = createUnion();
  return (thing, id) => {
    const { members, attached } = thing;
    const speaking = attached.length === 0 ? members : [...members, ...attached.toSorted(byOrder)];
    const before = context.rememberedOf(id);
    const seeing = union(speaking.map(({ claimed }) => [claimed.sourceId]));
    const silent = before?.sourceIds.filter((sourceId) => blind.has(sourceId) && !seeing.includes(sourceId)) ?? [];
    const kept = silent.length > 0 ? before : undefined;
    const parentId = members.find((member) => member.parentId !== null && member.parentId !== id)?.parentId;
    const claims = speaking.map(({ claimed }) => claimed.claim);
    return {
      id,
      kind: kindOf(members, before),
      name: members[0]?.claimed.claim.name ?? before?.name ?? id,
      parentId: parentId ?? (members.length === 0 || kept !== undefined ? before?.parentId : null) ?? null,
      status: tellingStatus(members),
      sourceIds:
        seeing.length + silent.length === 1
          ? seeing
          : [...seeing, ...silent].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
      tags: union([...claims.map(({ tags }) => tags), kept?.tags ?? NONE, context.tagsOf(id)]),
      expects: union([...claims.map(({ expects }) => expects), kept?.expects ?? NONE]),
      facts: mergedFacts(speaking, members.length === 0 ? before : kept),
      presence: 'observed',
    };
  };
};

const NONE: readonly string[] = [];

const byOrder = (a: Member, b: Member): number => a.claimed.order - b.claimed.order;

/** Sorted unions of lists. Thousands of resources have equal ones, and share them. */
const createUnion = (): ((lists: readonly (readonly string[])[]) => readonly string[]) => {
  const known = new Map<string, readonly string[]>();
  return (lists) => {
    const filled = lists.filter((list) => list.length > 0);
    if (filled.length === 0) return NONE;
    const key = filled.map((list) => list.join('\n')).join('\n');
    const found = known.get(key);
    if (found !== undefined) return found;
    const union = [...new Set(filled.flat())].sort();
    known.set(key, union);
    return union;
  };
};

/** A kind stays what it was; a host that turns out to be a node of a cluster is a node from then on. */
const kindOf = (members: readonly Member[], before: Resource | undefined): ResourceKind => {
  const claimed = members[0]?.claimed.claim.kind;
  const first = before?.kind ?? claimed ?? 'host';
  const isNode = first === 'host' && members.some(({ claimed: { claim } }) => claim.kind === 'node');
  return isNode ? 'node' : first;
};

/** The least healthy word first; one source that knows outweighs one that only assumes. */
const TELLING: readonly ResourceStatus[] = [
  'failed',
  'degraded',
  'paused',
  'stopped',
  'starting',
  'running',
  'unknown',
];

const tellingStatus = (members: readonly Member[]): ResourceStatus =>
  TELLING.find((status) => members.some(({ claimed }) => claimed.claim.status === status)) ?? 'unknown';

/** The first source in the config has the say. */
const mergedFacts = (speaking: readonly Member[], before: Resource | undefined): Facts => {
  const [only] = speaking;
  if (speaking.length === 1 && only !== undefined && before === undefined) return only.claimed.claim.facts;
  return Object.assign({}, before?.facts, ...speaking.toReversed().map(({ claimed }) => claimed.claim.facts));
};
