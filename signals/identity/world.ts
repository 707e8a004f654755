/** All things of one resolver pass, findable by key and by id. */
import type { IdentityKey } from '../claim.ts';
import type { ResourceId } from '../resource.ts';
import { qualify } from './alias.ts';
import type { Claimed } from './claimed.ts';
import { contradicts, type Match } from './contradiction.ts';
import type { Follow } from './follow.ts';
import type { KnownIdentities } from './known.ts';
import { current, join, knownThing, type Member, type Thing } from './thing.ts';

/** A key that is claimed in this run, and by which thing. */
export interface LiveKey {
  readonly thing: Thing;
  readonly strength: IdentityKey['strength'];
}

/** A remembered thing that a key leads to. */
export interface Candidate {
  readonly thing: Thing;
  readonly strength: IdentityKey['strength'];
  /** The key was another one until this run, which found that two parents are one. */
  readonly byMergedParent: boolean;
}

export interface ThingWorld {
  readonly known: KnownIdentities;
  readonly follow: Follow;
  readonly live: Map<string, LiveKey>;
  readonly byId: Map<ResourceId, Thing>;
  readonly memberOf: Map<Claimed, Member>;
  /** Ids that were minted in this pass. */
  readonly given: Set<string>;
}

export const createThingWorld = (known: KnownIdentities, follow: Follow): ThingWorld => ({
  known,
  follow,
  live: new Map(),
  byId: new Map(),
  memberOf: new Map(),
  given: new Set(),
});

/** The thing with this id, claimed in this run or remembered. */
export const thingById = (world: ThingWorld, id: ResourceId): Thing => {
  const found = world.byId.get(id);
  if (found !== undefined) return current(found);
  const thing = knownThing(id);
  world.byId.set(id, thing);
  return thing;
};

/**
 * Remembered things that one of a member's keys leads to: under its parent, and under what the parent was called before
 * a merge.
 */
export const remembered = (world: ThingWorld, member: Member, rank: number): readonly Candidate[] => {
  const { known, follow } = world;
  const { parentId, claimed, aliases } = member;
  const key = claimed.keys[rank];
  const own = aliases[rank];
  if (key === undefined || typeof own !== 'string') return NONE;
  const alias = known.aliasOf(own);
  const candidates: Candidate[] = [];
  const add = (id: ResourceId, strength: IdentityKey['strength'], byMergedParent: boolean): void => {
    candidates.push({ thing: thingById(world, follow.canonical(id)), strength, byMergedParent });
  };
  if (alias !== undefined) add(alias.id, alias.strength, false);
  if (key.alias !== null || parentId === null) return candidates;
  for (const former of follow.formerIds(parentId)) {
    const old = known.aliasOf(qualify(claimed.claim.kind, former, key.key));
    if (old !== undefined) add(old.id, old.strength, follow.isRedirected(former));
  }
  return candidates;
};

const NONE: readonly Candidate[] = [];

/** The remembered thing that one alias leads to. */
export const rememberedAs = (world: ThingWorld, key: string): Thing | null => {
  const alias = world.known.aliasOf(key);
  return alias === undefined ? null : thingById(world, world.follow.canonical(alias.id));
};

/** Whether a key of this run is this thing's rather than another's. */
export const owns = (world: ThingWorld, thing: Thing, alias: string): boolean => {
  const owner = world.live.get(alias);
  return owner !== undefined && current(owner.thing) === thing;
};

/** Joins two things unless something proves them different; the first keeps its id. Tells whether they are one now. */
export const tryJoin = (world: ThingWorld, first: Thing, second: Thing, match: Match): boolean => {
  const [a, b] = [current(first), current(second)];
  if (a === b) return true;
  if (contradicts(a, b, match, (id) => rememberedProofs(world, id))) return false;
  const [into, from] = sourceOrder(b) < sourceOrder(a) ? [b, a] : [a, b];
  join(into, from);
  if (match.strength === 'hint') into.byHint = true;
  return true;
};

/** Of what was merged into it too. */
const rememberedProofs = ({ known, follow }: ThingWorld, id: ResourceId): readonly string[] => {
  const former = follow.formerIds(id);
  return former.length === 0 ? known.proofsOf(id) : [id, ...former].flatMap((each) => known.proofsOf(each));
};

/** What the source that is first in the config calls a thing wins, whichever key matched first. */
const sourceOrder = ({ members }: Thing): number => members[0]?.claimed.order ?? Number.POSITIVE_INFINITY;
