/** One thing in the world while a run is being resolved: the claims, and the known ids, that were found to mean it. */
import type { ResourceId } from '../resource.ts';
import { namespaceOfAlias, qualify } from './alias.ts';
import type { Claimed } from './claimed.ts';

/** A claim while it is resolved. */
export interface Member {
  readonly claimed: Claimed;
  /** What it was when it was entered; see `current`. */
  readonly thing: Thing;
  parentId: ResourceId | null;
  /** Its keys as they are kept, in their order; null until the parent within which one holds is resolved. */
  aliases: readonly (string | null)[];
}

/** One value that proves what a thing is. */
export interface Proof {
  readonly namespace: string;
  readonly alias: string;
}

export interface Thing {
  /** The first is its id; the others are known ids that turned out to be the same thing. Empty: none was found yet. */
  readonly ids: ResourceId[];
  /** By source in config order. */
  readonly members: Member[];
  /** Claims by which the operator attached readings to it; they say nothing about what it is. */
  attached: readonly Member[];
  readonly proofs: Proof[];
  /** Ids whose remembered proofs are not among `proofs` yet: most are never needed. */
  unread: readonly ResourceId[];
  /** Whether some of it was joined by no more than a hint. */
  byHint: boolean;
  /** Set when it was found to be another one. */
  joined: Thing | null;
}

const NONE: readonly Member[] = [];
const NO_IDS: readonly ResourceId[] = [];

const emptyThing = (): Thing => ({
  ids: [],
  members: [],
  attached: NONE,
  proofs: [],
  unread: NO_IDS,
  byHint: false,
  joined: null,
});

/** The thing that this one has become. */
export const current = (thing: Thing): Thing => {
  let at = thing;
  while (at.joined !== null) at = at.joined;
  return at;
};

/** Whether any claim of it, or what is remembered of it, says more than a hint. */
export const provesItself = ({ proofs, unread }: Thing): boolean => proofs.length > 0 || unread.length > 0;

const addProof = (proofs: Proof[], proof: Proof): void => {
  if (!proofs.some(({ alias }) => alias === proof.alias)) proofs.push(proof);
};

/** A claim that is taken for a thing of its own until something tells more. */
export const enteredMember = (claimed: Claimed): Member => {
  const member = { claimed, thing: emptyThing(), parentId: null, aliases: claimed.keys.map(({ alias }) => alias) };
  member.thing.members.push(member);
  addProofs(member.thing, member);
  return member;
};

/** A claim that attaches readings to a thing it says nothing about. */
export const attachedMember = (claimed: Claimed, thing: Thing): Member => {
  const member = { claimed, thing, parentId: null, aliases: claimed.keys.map(({ alias }) => alias) };
  thing.attached = [...thing.attached, member];
  return member;
};

/** A thing that is remembered. */
export const knownThing = (id: ResourceId): Thing => {
  const thing = emptyThing();
  thing.ids.push(id);
  thing.unread = [id];
  return thing;
};

/** Reads what is remembered of the proofs of a thing. */
export const readProofs = (thing: Thing, proofsOf: (id: ResourceId) => readonly string[]): void => {
  for (const id of thing.unread) {
    for (const alias of proofsOf(id)) addProof(thing.proofs, { namespace: namespaceOfAlias(alias), alias });
  }
  thing.unread = NO_IDS;
};

const addProofs = (thing: Thing, { claimed, aliases }: Member): void => {
  claimed.keys.forEach(({ strength, namespace }, rank) => {
    const alias = aliases[rank];
    if (strength === 'proof' && typeof alias === 'string') addProof(thing.proofs, { namespace, alias });
  });
};

/** Fills in the keys that hold within the parent. */
export const settleParent = (member: Member, parentId: ResourceId | null): void => {
  const { keys, claim } = member.claimed;
  member.parentId = parentId;
  if (!member.aliases.includes(null)) return;
  member.aliases = keys.map(({ alias, key }) => alias ?? qualify(claim.kind, parentId, key));
  addProofs(current(member.thing), member);
};

/** Makes two things one. The first keeps its id. */
export const join = (into: Thing, from: Thing): void => {
  for (const id of from.ids) if (!into.ids.includes(id)) into.ids.push(id);
  if (from.members.length > 0) {
    into.members.push(...from.members);
    into.members.sort((a, b) => a.claimed.order - b.claimed.order);
  }
  if (from.attached.length > 0) into.attached = [...into.attached, ...from.attached];
  for (const proof of from.proofs) addProof(into.proofs, proof);
  if (from.unread.length > 0) into.unread = into.unread.length === 0 ? from.unread : [...into.unread, ...from.unread];
  into.byHint ||= from.byHint;
  from.joined = into;
};
