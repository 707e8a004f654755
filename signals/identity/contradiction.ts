/** Whether anything proves that two things, which some key says are one, are different. */
import type { IdentityKey } from '../claim.ts';
import type { ResourceId } from '../resource.ts';
import { type Member, type Proof, readProofs, type Thing } from './thing.ts';

/** The key by which two things were found to be one. */
export interface Match {
  readonly member: Member;
  /** Index of the key in the claim. */
  readonly rank: number;
  /** `hint` also where the store remembers the key as no more than that. */
  readonly strength: IdentityKey['strength'];
}

/**
 * A proof is outweighed only by a stronger one of the matching claim: disks with one WWN are one, however two tools
 * spell the serial number. Of one source, two things are never joined by a hint, nor where any proof tells them apart.
 */
export const contradicts = (a: Thing, b: Thing, match: Match, proofsOf: ProofsOf): boolean => {
  if (!isBeyondDoubt(a, match) && !isBeyondDoubt(b, match)) {
    readProofs(a, proofsOf);
    readProofs(b, proofsOf);
    for (const { namespace } of a.proofs) {
      if (!areDisjoint(a.proofs, b.proofs, namespace)) continue;
      if (match.strength === 'hint' || !isWeaker(match, namespace)) return true;
    }
  }
  if (a.members.length === 0 || b.members.length === 0) return false;
  const byHint = match.strength === 'hint' || a.byHint || b.byHint;
  return a.members.some((member) =>
    b.members.some(
      (other) => member.claimed.order === other.claimed.order && (byHint || areProvenApart(member, other)),
    ),
  );
};

type ProofsOf = (id: ResourceId) => readonly string[];

/** Nothing is known of it but one claim, and the strongest key of that matched: all its other proofs are weaker. */
const isBeyondDoubt = ({ ids, members }: Thing, { member, rank, strength }: Match): boolean =>
  strength === 'proof' && rank === 0 && ids.length === 0 && members.length === 1 && members[0] === member;

/** Both have values in the namespace, and none in common. */
const areDisjoint = (a: readonly Proof[], b: readonly Proof[], namespace: string): boolean => {
  let isShared = false;
  for (const proof of b) {
    if (proof.namespace !== namespace) continue;
    if (a.some(({ alias }) => alias === proof.alias)) return false;
    isShared = true;
  }
  return isShared;
};

/** Whether the claim itself ranks that namespace below the key that matched. */
const isWeaker = ({ member: { claimed }, rank }: Match, namespace: string): boolean =>
  claimed.keys.findIndex((key) => key.strength === 'proof' && key.namespace === namespace) > rank;

const areProvenApart = (a: Member, b: Member): boolean =>
  a.claimed.keys.some(({ namespace, strength }) => {
    if (strength !== 'proof') return false;
    const others = proofsIn(b, namespace);
    return others.length > 0 && !proofsIn(a, namespace).some((value) => others.includes(value));
  });

/** Comparable within one survey before any parent is resolved. */
const proofsIn = ({ claimed: { keys, parent } }: Member, wanted: string): readonly string[] =>
  keys
    .filter(({ namespace, strength }) => strength === 'proof' && namespace === wanted)
    .map(({ key, scope }) => `${scope === 'parent' && parent !== null ? parent.claim.ref : ''}\n${key}`);
