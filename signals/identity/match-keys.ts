/** Claims that mean one thing, found by their keys: among the claims of this run, and in what is remembered. */
import type { IdentityKey } from '../claim.ts';
import { current, type Match, type Member, type MemberKey, type Thing } from './thing.ts';
import { owns, remembered, rememberedAs, type ThingWorld, tryJoin } from './world.ts';

/** Visits the keys of all members, strongest first: all first keys, then all second ones. */
const eachKey = (
  members: readonly Member[],
  visit: (member: Member, key: MemberKey, alias: string, rank: number) => void,
): void => {
  const ranks = members.reduce((most, { keys }) => Math.max(most, keys.length), 0);
  for (let rank = 0; rank < ranks; rank += 1) {
    for (const member of members) {
      const key = member.keys[rank];
      if (key !== undefined && key.alias !== null) visit(member, key, key.alias, rank);
    }
  }
};

/** Joins what proves to be one thing. A thing that proves itself takes the key from one that only hinted at it. */
export const matchProofs = (world: ThingWorld, members: readonly Member[], scope: IdentityKey['scope']): void => {
  eachKey(members, (member, key, alias, rank) => {
    const thing = world.thingOf.get(member.claimed);
    if (thing === undefined || key.strength !== 'proof' || key.claimed.scope !== scope) return;
    const owner = world.live.get(alias);
    const match: Match = { member, rank, strength: owner?.strength ?? 'proof' };
    if (owner !== undefined) tryJoin(owner.thing, thing, match);
    if (owner?.strength !== 'proof') world.live.set(alias, { thing, strength: 'proof' });
    for (const candidate of remembered(world, member, key)) {
      tryJoin(thing, candidate.thing, { member, rank, strength: candidate.strength });
    }
  });
};

/** Joins what is claimed in this run under one key, as far as nothing proves that it is different. */
export const matchLiveHints = (world: ThingWorld, members: readonly Member[]): void => {
  eachKey(members, (member, key, alias, rank) => {
    const thing = world.thingOf.get(member.claimed);
    if (thing === undefined || key.strength !== 'hint') return;
    const owner = world.live.get(alias);
    if (owner === undefined) world.live.set(alias, { thing, strength: 'hint' });
    else tryJoin(owner.thing, thing, { member, rank, strength: 'hint' });
  });
};

/**
 * Only for what nothing else has told: first those that prove what they are, then those that can't. Beside that, what
 * had the same key under each of two parents is one thing when the parents are.
 */
export const matchRememberedHints = (world: ThingWorld, members: readonly Member[]): void => {
  for (const proven of [true, false]) {
    eachKey(members, (member, key, alias, rank) => {
      const start = world.thingOf.get(member.claimed);
      if (start === undefined || key.strength !== 'hint') return;
      const thing = current(start);
      if (thing.proofs.size > 0 !== proven || !owns(world, thing, alias)) return;
      const isKnown = thing.ids.length > 0;
      for (const candidate of remembered(world, member, key)) {
        if (isKnown && !candidate.byMergedParent) continue;
        tryJoin(thing, candidate.thing, { member, rank, strength: 'hint' });
      }
    });
  }
};

/** Joins a thing with the one that was remembered by the handle of its source. */
export const tryHandle = (world: ThingWorld, thing: Thing, member: Member, alias: string): void => {
  const candidate = rememberedAs(world, alias);
  if (candidate !== null) tryJoin(thing, candidate, { member, rank: member.keys.length, strength: 'hint' });
};
