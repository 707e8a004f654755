/** One thing in the world while a run is being resolved: the claims, and the known ids, that were found to mean it. */
import type { IdentityKey } from '../claim.ts';
import type { ResourceId } from '../resource.ts';
import { namespaceOf, namespaceOfAlias, qualify } from './alias.ts';
import type { Claimed } from './claimed.ts';

/** A claim while it is resolved. Until its parent is, what is unique within the parent only has no `alias`. */
export interface Member {
  readonly claimed: Claimed;
  parentId: ResourceId | null;
  /** In the order of the claim: strongest first. */
  keys: readonly MemberKey[];
}

export interface MemberKey {
  /** As it is kept. */
  readonly alias: string | null;
  readonly namespace: string;
  readonly strength: IdentityKey['strength'];
  /** As it was claimed. */
  readonly claimed: IdentityKey;
}

export const memberOf = (claimed: Claimed): Member => ({
  claimed,
  parentId: null,
  keys: claimed.keys.map((key) => ({
    alias: key.scope === 'parent' ? null : qualify(claimed.claim.kind, null, key),
    namespace: namespaceOf(key.key),
    strength: key.strength,
    claimed: key,
  })),
});

/** Fills in the keys that hold within the parent. Null: there is no parent, and they hold in the world. */
export const settleParent = (member: Member, thing: Thing, parentId: ResourceId | null): void => {
  const { kind } = member.claimed.claim;
  member.parentId = parentId;
  if (member.keys.every(({ alias }) => alias !== null)) return;
  member.keys = member.keys.map((key) => ({ ...key, alias: key.alias ?? qualify(kind, parentId, key.claimed) }));
  addProofs(thing, member);
};

export interface Thing {
  /** The first is its id; the others are known ids that turned out to be the same thing. Empty: none was found yet. */
  readonly ids: ResourceId[];
  /** By source in config order. */
  readonly members: Member[];
  /** Claims by which the operator attached readings to it; they say nothing about what it is. */
  readonly attached: Member[];
  /** Values that prove what it is, by namespace, each qualified. */
  readonly proofs: Map<string, string[]>;
  /** Whether some of it was joined by no more than a hint. */
  byHint: boolean;
  /** Set when it was found to be another one. */
  joined: Thing | null;
}

const emptyThing = (): Thing => ({
  ids: [],
  members: [],
  attached: [],
  proofs: new Map(),
  byHint: false,
  joined: null,
});

/** The thing that this one has become. */
export const current = (thing: Thing): Thing => {
  let at = thing;
  while (at.joined !== null) at = at.joined;
  return at;
};

const addProof = (proofs: Map<string, string[]>, namespace: string, key: string): void => {
  const values = proofs.get(namespace);
  if (values === undefined) proofs.set(namespace, [key]);
  else if (!values.includes(key)) values.push(key);
};

/** A thing that is claimed. */
export const claimedThing = (member: Member): Thing => {
  const thing = emptyThing();
  thing.members.push(member);
  addProofs(thing, member);
  return thing;
};

const addProofs = (thing: Thing, { keys }: Member): void => {
  for (const { alias, namespace, strength } of keys) {
    if (strength === 'proof' && alias !== null) addProof(thing.proofs, namespace, alias);
  }
};

/** A thing that is remembered. */
export const knownThing = (id: ResourceId, proofs: readonly string[]): Thing => {
  const thing = emptyThing();
  thing.ids.push(id);
  for (const key of proofs) addProof(thing.proofs, namespaceOfAlias(key), key);
  return thing;
};

/** The key by which two things were found to be one. */
export interface Match {
  readonly member: Member;
  /** Index of the key in the claim. */
  readonly rank: number;
  /** `hint` also where the store remembers the key as no more than that. */
  readonly strength: IdentityKey['strength'];
}

/**
 * Whether something proves that the two are different. A proof is outweighed only by a stronger one of the matching
 * claim: disks with one WWN are one, however two tools spell the serial number. Of one source, two things are never
 * joined by a hint, nor where any proof tells them apart.
 */
export const contradicts = (a: Thing, b: Thing, match: Match): boolean => {
  for (const [namespace, values] of a.proofs) {
    const others = b.proofs.get(namespace);
    if (others === undefined || values.some((value) => others.includes(value))) continue;
    if (match.strength === 'hint' || !isWeaker(match, namespace)) return true;
  }
  const byHint = match.strength === 'hint' || a.byHint || b.byHint;
  return a.members.some((member) =>
    b.members.some(
      (other) => member.claimed.order === other.claimed.order && (byHint || areProvenApart(member, other)),
    ),
  );
};

/** Whether the claim itself ranks that namespace below the key that matched. */
const isWeaker = ({ member, rank }: Match, namespace: string): boolean =>
  member.keys.findIndex((key) => key.strength === 'proof' && key.namespace === namespace) > rank;

const areProvenApart = (a: Member, b: Member): boolean =>
  a.keys.some(({ namespace, strength }) => {
    if (strength !== 'proof') return false;
    const others = proofsIn(b, namespace);
    return others.length > 0 && !proofsIn(a, namespace).some((value) => others.includes(value));
  });

/** Comparable within one survey before any parent is resolved. */
const proofsIn = ({ keys, claimed: { parent } }: Member, wanted: string): readonly string[] =>
  keys
    .filter(({ namespace, strength }) => strength === 'proof' && namespace === wanted)
    .map(({ claimed: { key, scope } }) => `${scope === 'parent' && parent !== null ? parent.claim.ref : ''}\n${key}`);

/** Makes two things one. The first keeps its id. */
export const join = (into: Thing, from: Thing): void => {
  for (const id of from.ids) if (!into.ids.includes(id)) into.ids.push(id);
  into.members.push(...from.members);
  into.members.sort((a, b) => a.claimed.order - b.claimed.order);
  into.attached.push(...from.attached);
  for (const [namespace, values] of from.proofs) for (const value of values) addProof(into.proofs, namespace, value);
  into.byHint ||= from.byHint;
  from.joined = into;
};
