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
  return (thing, id) => {
    const members = thing.members.toSorted(byOrder);
    const speaking = [...members, ...thing.attached.toSorted(byOrder)];
    const before = context.rememberedOf(id);
    const seeing = new Set(speaking.map(({ claimed }) => claimed.sourceId));
    const silent = (before?.sourceIds ?? []).filter((sourceId) => blind.has(sourceId) && !seeing.has(sourceId));
    const kept = silent.length > 0 ? before : undefined;
    const parentId = members.find((member) => member.parentId !== null && member.parentId !== id)?.parentId;
    return {
      id,
      kind: kindOf(members, before),
      name: members[0]?.claimed.claim.name ?? before?.name ?? id,
      parentId: parentId ?? (members.length === 0 || kept !== undefined ? before?.parentId : null) ?? null,
      status: tellingStatus(members.map(({ claimed }) => claimed.claim.status)),
      sourceIds: context.surveys
        .map(({ sourceId }) => sourceId)
        .filter((sourceId) => seeing.has(sourceId) || silent.includes(sourceId)),
      tags: sortedUnion([...speaking.map(({ claimed }) => claimed.claim.tags), kept?.tags ?? [], context.tagsOf(id)]),
      expects: sortedUnion([...speaking.map(({ claimed }) => claimed.claim.expects), kept?.expects ?? []]),
      facts: mergedFacts(speaking, members.length === 0 ? before : kept),
      presence: 'observed',
    };
  };
};

const byOrder = (a: Member, b: Member): number => a.claimed.order - b.claimed.order;

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

const tellingStatus = (statuses: readonly ResourceStatus[]): ResourceStatus =>
  TELLING.find((status) => statuses.includes(status)) ?? 'unknown';

const sortedUnion = <T extends string>(lists: readonly (readonly T[])[]): readonly T[] => {
  const filled = lists.filter((list) => list.length > 0);
  return filled.length === 0 ? [] : [...new Set(filled.flat())].sort();
};

/** The first source in the config has the say. */
const mergedFacts = (speaking: readonly Member[], before: Resource | undefined): Facts =>
  Object.assign({}, before?.facts, ...speaking.toReversed().map(({ claimed }) => claimed.claim.facts));
