/** Claims that mean one thing, found by their keys: among the claims of this run, and in what is remembered. */
import type { IdentityKey } from '../claim.ts';
import { current, type Member, provesItself, type Thing } from './thing.ts';
import { owns, remembered, rememberedAs, type ThingWorld, tryJoin } from './world.ts';

/** Visits the keys of one strength, strongest first: all first keys, then all second ones. */
const eachKey = (
  members: readonly Member[],
  wanted: IdentityKey['strength'],
  visit: (member: Member, alias: string, rank: number) => void,
): void => {
  let ranks = 0;
  for (const { claimed } of members) ranks = Math.max(ranks, claimed.keys.length);
  for (let rank = 0; rank < ranks; rank += 1) {
    for (const member of members) {
      const alias = member.aliases[rank];
      if (typeof alias === 'string' && member.claimed.keys[rank]?.strength === wanted) visit(member, alias, rank);
    }
  }
};

/** Joins what proves to be one thing. A thing that proves itself takes the key from one that only hinted at it. */
export const matchProofs = (world: ThingWorld, members: readonly Member[]): void => {
  eachKey(members, 'proof', (member, alias, rank) => {
    const { thing } = member;
    const owner = world.live.get(alias);
    if (owner !== undefined) tryJoin(world, owner.thing, thing, { member, rank, strength: owner.strength });
    if (owner?.strength !== 'proof') world.live.set(alias, { thing, strength: 'proof' });
    for (const candidate of remembered(world, member, rank)) {
      tryJoin(world, thing, candidate.thing, { member, rank, strength: candidate.strength });
    }
  });
};

/** Joins what is claimed in this run under one key, as far as nothing proves that it is different. */
export const matchLiveHints = (world: ThingWorld, members: readonly Member[]): void => {
  eachKey(members, 'hint', (member, alias, rank) => {
    const { thing } = member;
    const owner = world.live.get(alias);
    if (owner === undefined) world.live.set(alias, { thing, strength: 'hint' });
    else tryJoin(world, owner.thing, thing, { member, rank, strength: 'hint' });
  });
};

/**
 * Only for what nothing else has told: first those that prove what they are, then those that can't. Beside that, what
 * had the same key under each of two parents is one thing when the parents are.
 */
export const matchRememberedHints = (world: ThingWorld, members: readonly Member[]): void => {
  const open = world.follow.isAnythingMerged ? members : members.filter(({ thing }) => current(thing).ids.length === 0);
  for (const isProven of [true, false]) {
    eachKey(open, 'hint', (member, alias, rank) => {
      const thing = current(member.thing);
      if (provesItself(thing) !== isProven || !owns(world, thing, alias)) return;
      const isKnown = thing.ids.length > 0;
      for (const candidate of remembered(world, member, rank)) {
        if (isKnown && !candidate.byMergedParent) continue;
        tryJoin(world, thing, candidate.thing, { member, rank, strength: 'hint' });
      }
    });
  }
};

/** Joins a thing with the one that was remembered by the handle of its source. */
export const tryHandle = (world: ThingWorld, thing: Thing, member: Member, alias: string): void => {
  const candidate = rememberedAs(world, alias);
  if (candidate !== null) tryJoin(world, thing, candidate, { member, rank: member.aliases.length, strength: 'hint' });
};
