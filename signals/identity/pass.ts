/** One pass over all claims: what proofs tell, then, parents first, what hints tell, then new ids. */
import type { ResourceId } from '../resource.ts';
import { qualify } from './alias.ts';
import { attachAll } from './attach.ts';
import { type Claimed, handleKey } from './claimed.ts';
import { matchLiveHints, matchProofs, matchRememberedHints, tryHandle } from './match-keys.ts';
import { mint } from './mint.ts';
import {
  attachedMember,
  current,
  enteredMember,
  type Member,
  provesItself,
  settleParent,
  type Thing,
} from './thing.ts';
import { owns, type ThingWorld, thingById } from './world.ts';

/** Resolves every claim into `world`. */
export const runPass = (world: ThingWorld, claimed: readonly Claimed[]): void => {
  const entering = claimed.filter(({ claim }) => claim.attachesTo === null);
  matchProofs(
    world,
    entering.filter(({ claim }) => claim.refersTo === null).map((one) => enter(world, one)),
  );
  for (const level of levelsOf(world, entering)) {
    const members: Member[] = [];
    const within: Member[] = [];
    for (const one of level) {
      const member = world.memberOf.get(one) ?? enterReferring(world, one);
      if (member === null) continue;
      if (member.aliases.includes(null)) within.push(member);
      settleParent(member, parentIdOf(world, one));
      members.push(member);
    }
    // The proofs that hold in the world were matched before.
    matchProofs(world, within);
    matchLiveHints(world, members);
    matchRememberedHints(world, members);
    for (const { claimed: one, thing } of members) {
      if (current(thing).ids.length === 0) matchHandle(world, one);
      if (current(thing).ids.length === 0) mint(world, current(thing));
    }
  }
  keepHandles(world);
  attachAll(world, claimed);
};

const enter = (world: ThingWorld, claimed: Claimed): Member => {
  const member = enteredMember(claimed);
  world.memberOf.set(claimed, member);
  return member;
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

/** The id of the thing that a claim was resolved to. */
export const idOf = (world: ThingWorld, claimed: Claimed): ResourceId | null => {
  const member = world.memberOf.get(claimed);
  return member === undefined ? null : (current(member.thing).ids[0] ?? null);
};

const parentIdOf = (world: ThingWorld, { parent }: Claimed): ResourceId | null =>
  parent === null ? null : idOf(world, parent);

/** Attaches a claim to the resource that the operator named for it; null then. Without that it is a thing of its own. */
const enterReferring = (world: ThingWorld, claimed: Claimed): Member | null => {
  const id = claimed.claim.refersTo === null ? null : world.follow.canonical(claimed.claim.refersTo);
  const target = id === null ? null : thingById(world, id);
  if (id === null || target === null || (target.members.length === 0 && world.known.resourceOf(id) === undefined)) {
    const own = enter(world, claimed);
    matchProofs(world, [own]);
    return own;
  }
  world.memberOf.set(claimed, attachedMember(claimed, target));
  return null;
};

const ownsSomething = (world: ThingWorld, thing: Thing): boolean =>
  thing.members.some(({ aliases }) => aliases.some((alias) => alias !== null && owns(world, thing, alias)));

/** What proves nothing of its own, and nothing else has told, may be known by the handle of its source. */
const matchHandle = (world: ThingWorld, claimed: Claimed): void => {
  const member = world.memberOf.get(claimed);
  if (member === undefined) return;
  const thing = current(member.thing);
  if (!provesItself(thing) || !ownsSomething(world, thing)) tryHandle(world, thing, member, handleAlias(claimed));
};

/** A thing all of whose keys turned out to be another's would be a new one in every run: its handle is kept instead. */
const keepHandles = (world: ThingWorld): void => {
  for (const { claimed, thing: start } of world.memberOf.values()) {
    const thing = current(start);
    if (!thing.members.some((member) => member.claimed === claimed) || ownsSomething(world, thing)) continue;
    world.live.set(handleAlias(claimed), { thing, strength: 'hint' });
  }
};

const handleAlias = ({ sourceId, claim }: Claimed): string =>
  qualify(claim.kind, null, handleKey(sourceId, claim.ref).key);
