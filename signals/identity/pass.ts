/** One pass over all claims: what proofs tell, then, parents first, what hints tell, then new ids. */
import type { ResourceId } from '../resource.ts';
import { qualify } from './alias.ts';
import { type Claimed, handleKey } from './claimed.ts';
import { matchLiveHints, matchProofs, matchRememberedHints, tryHandle } from './match-keys.ts';
import { mint } from './mint.ts';
import { claimedThing, current, type Member, memberOf, settleParent, type Thing } from './thing.ts';
import { idOfThing, owns, type ThingWorld, thingById } from './world.ts';

/** Resolves every claim into `world`. */
export const runPass = (world: ThingWorld, claimed: readonly Claimed[]): void => {
  const plain = claimed.filter(({ claim }) => claim.refersTo === null).map((one) => enter(world, one));
  matchProofs(world, plain, 'world');
  for (const level of levelsOf(world, claimed)) {
    const members: Member[] = [];
    for (const one of level) {
      const member = world.memberOf.get(one) ?? enterReferring(world, one);
      if (member === null) continue;
      settleParent(member, thingOf(world, member), parentIdOf(world, one));
      members.push(member);
    }
    matchProofs(world, members, 'parent');
    matchLiveHints(world, members);
    matchRememberedHints(world, members);
    for (const member of members) {
      if (thingOf(world, member).ids.length === 0) matchHandle(world, member);
      if (thingOf(world, member).ids.length === 0) mint(world, thingOf(world, member));
    }
  }
  keepHandles(world);
};

const enter = (world: ThingWorld, claimed: Claimed): Member => {
  const member = memberOf(claimed);
  world.memberOf.set(claimed, member);
  world.thingOf.set(claimed, claimedThing(member));
  return member;
};

const thingOf = (world: ThingWorld, { claimed }: Member): Thing => {
  const thing = world.thingOf.get(claimed);
  if (thing === undefined) throw new Error('a claim was asked for before it was entered');
  return current(thing);
};

/** By depth; what refers to a resource that is not known yet comes last, since this run may still find it. */
const levelsOf = (world: ThingWorld, claimed: readonly Claimed[]): readonly (readonly Claimed[])[] => {
  const levels: [Claimed[][], Claimed[][]] = [[], []];
  const late = new Set<Claimed>();
  for (const one of claimed) {
    const { refersTo } = one.claim;
    const waits = refersTo !== null && world.known.resourceOf(world.follow.canonical(refersTo)) === undefined;
    if (waits || (one.parent !== null && late.has(one.parent))) late.add(one);
    const stage = levels[late.has(one) ? 1 : 0];
    const level = stage[one.depth];
    if (level === undefined) stage[one.depth] = [one];
    else level.push(one);
  }
  return levels.flat().filter((level) => level !== undefined);
};

const parentIdOf = (world: ThingWorld, { parent }: Claimed): ResourceId | null => {
  const thing = parent === null ? undefined : world.thingOf.get(parent);
  return thing === undefined ? null : idOfThing(thing);
};

/** Attaches a claim to the resource that the operator named for it; null then. Without that it is a thing of its own. */
const enterReferring = (world: ThingWorld, claimed: Claimed): Member | null => {
  const id = claimed.claim.refersTo === null ? null : world.follow.canonical(claimed.claim.refersTo);
  const target = id === null ? null : thingById(world, id);
  if (id === null || target === null || (target.members.length === 0 && world.known.resourceOf(id) === undefined)) {
    const own = enter(world, claimed);
    matchProofs(world, [own], 'world');
    return own;
  }
  target.attached.push(memberOf(claimed));
  world.thingOf.set(claimed, target);
  return null;
};

const ownsSomething = (world: ThingWorld, thing: Thing): boolean =>
  thing.members.some(({ keys }) => keys.some(({ alias }) => alias !== null && owns(world, thing, alias)));

/** What proves nothing of its own, and nothing else has told, may be known by the handle of its source. */
const matchHandle = (world: ThingWorld, member: Member): void => {
  const thing = thingOf(world, member);
  if (thing.proofs.size === 0 || !ownsSomething(world, thing)) tryHandle(world, thing, member, handleAlias(member));
};

/** A thing all of whose keys turned out to be another's would be a new one in every run: its handle is kept instead. */
const keepHandles = (world: ThingWorld): void => {
  for (const member of world.memberOf.values()) {
    const thing = thingOf(world, member);
    if (!ownsSomething(world, thing)) world.live.set(handleAlias(member), { thing, strength: 'hint' });
  }
};

const handleAlias = ({ claimed: { sourceId, claim } }: Member): string =>
  qualify(claim.kind, null, handleKey(sourceId, claim.ref));
