/** Ids that one pass found to be one thing. */
import { asResourceId, type Resource, type ResourceId, type ResourceKind } from '../resource.ts';
import { classOf } from './alias.ts';
import type { IdentityProblem } from './problem.ts';
import { current, type Member, type Thing } from './thing.ts';
import type { ThingWorld } from './world.ts';

export interface Merges {
  /** From each id to the one that stands for it from now on. */
  readonly redirects: ReadonlyMap<ResourceId, ResourceId>;
  readonly problems: readonly IdentityProblem[];
}

/** Joins that a pass found beyond those it was given: by proof, by the operator's word, by a check's reference. */
export const findMerges = (
  world: ThingWorld,
  things: readonly Thing[],
  sameAs: readonly (readonly string[])[],
): Merges => {
  const redirects = new Map<ResourceId, ResourceId>();
  const problems: IdentityProblem[] = [];
  for (const { ids, attached } of things) {
    const [first, ...others] = ids;
    if (first === undefined) continue;
    for (const other of others) redirects.set(other, first);
    for (const member of attached) {
      const own = ownResource(world, member, first);
      if (own !== null) redirects.set(own, first);
    }
  }
  for (const group of sameAs) joinDeclared(world, group, redirects, problems);
  return { redirects, problems };
};

/** What a check made of its own while the resource that it refers to was not known: the same readings, so the same thing. */
const ownResource = (world: ThingWorld, { aliases, claimed }: Member, target: ResourceId): ResourceId | null => {
  for (const alias of aliases) {
    const id = alias === null ? undefined : world.known.aliasOf(alias)?.id;
    if (id === undefined || id === target || world.follow.canonical(id) !== id) continue;
    const seenBy = world.known.resourceOf(id)?.sourceIds ?? [];
    const isOwn = seenBy.length === 1 && seenBy[0] === claimed.sourceId;
    const isClaimed = membersOf(world, id).length > 0;
    if (isOwn && !isClaimed) return id;
  }
  return null;
};

const joinDeclared = (
  world: ThingWorld,
  group: readonly string[],
  redirects: Map<ResourceId, ResourceId>,
  problems: IdentityProblem[],
): void => {
  const ids = [...new Set(group.map((id) => currentId(world, redirects, id)))];
  const existing = ids.flatMap((id) => {
    const kind = kindOf(world, id);
    return kind === null ? [] : [{ id, kind }];
  });
  const [first, ...others] = existing;
  if (first === undefined) return;
  for (const other of others) {
    const ids: readonly [ResourceId, ResourceId] = [first.id, other.id];
    if (!canBeOne(first.kind, other.kind)) problems.push({ kind: 'same_as_refused', ids, because: 'kinds' });
    else if (seenTogether(world, ...ids)) problems.push({ kind: 'same_as_refused', ids, because: 'one_source' });
    else redirects.set(other.id, first.id);
  }
};

/** The id that stands for a declared one after every join that this pass has found so far. */
const currentId = (world: ThingWorld, redirects: ReadonlyMap<ResourceId, ResourceId>, id: string): ResourceId => {
  const canonical = world.follow.canonical(asResourceId(id));
  const thing = world.byId.get(canonical);
  let at = thing === undefined ? canonical : (current(thing).ids[0] ?? canonical);
  // Ends: an id is redirected only to one that was not itself redirected.
  for (let next = redirects.get(at); next !== undefined; next = redirects.get(at)) at = next;
  return at;
};

const membersOf = (world: ThingWorld, id: ResourceId): readonly Member[] => {
  const thing = world.byId.get(id);
  return thing === undefined ? [] : current(thing).members;
};

const kindOf = (world: ThingWorld, id: ResourceId): ResourceKind | null => {
  const resource: Resource | undefined = world.known.resourceOf(id);
  return resource?.kind ?? membersOf(world, id)[0]?.claimed.claim.kind ?? null;
};

const MACHINES: ReadonlySet<string> = new Set(['host', 'vm', 'container']);

/** A guest, and the host that runs inside it, may be declared one; a disk and a host may not. */
const canBeOne = (a: ResourceKind, b: ResourceKind): boolean =>
  classOf(a) === classOf(b) || (MACHINES.has(classOf(a)) && MACHINES.has(classOf(b)));

/** Whether one source sees both as two things. It should know. */
const seenTogether = (world: ThingWorld, a: ResourceId, b: ResourceId): boolean => {
  const orders = new Set(membersOf(world, a).map(({ claimed }) => claimed.order));
  return membersOf(world, b).some(({ claimed }) => orders.has(claimed.order));
};
