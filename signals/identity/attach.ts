/** Claims that are about another source's thing: each is attached to the one thing that answers to its names. */
import type { SourceClaims } from '../claim.ts';
import type { Claimed } from './claimed.ts';
import type { IdentityProblem } from './problem.ts';
import { attachedMember, current, type Thing } from './thing.ts';
import type { ThingWorld } from './world.ts';

/** After everything else is settled: only what is claimed in this run can answer, so that nothing gone is kept alive. */
export const attachAll = (world: ThingWorld, claimed: readonly Claimed[]): void => {
  const waiting = claimed.filter(({ claim }) => claim.attachesTo !== null);
  if (waiting.length === 0) return;
  const answering = answeringThings(world);
  for (const one of waiting) {
    const [thing, ...others] = candidates(one, answering);
    if (thing !== undefined && others.length === 0) world.memberOf.set(one, attachedMember(one, thing));
  }
};

const answeringThings = (world: ThingWorld): ReadonlyMap<string, ReadonlySet<Thing>> => {
  const answering = new Map<string, Set<Thing>>();
  for (const { claimed, thing } of world.memberOf.values()) {
    for (const name of claimed.claim.answersTo) {
      const things = answering.get(name);
      if (things === undefined) answering.set(name, new Set([current(thing)]));
      else things.add(current(thing));
    }
  }
  return answering;
};

const candidates = ({ claim }: Claimed, answering: ReadonlyMap<string, ReadonlySet<Thing>>): readonly Thing[] => [
  ...new Set((claim.attachesTo ?? []).flatMap((name) => [...(answering.get(name) ?? [])])),
];

/** While some source could not be read it is not known who would have answered, so nothing is said then. */
export const unattributed = (
  world: ThingWorld,
  claimed: readonly Claimed[],
  surveys: readonly SourceClaims[],
): readonly IdentityProblem[] => {
  const open = claimed.filter((one) => one.claim.attachesTo !== null && !world.memberOf.has(one));
  if (open.length === 0 || surveys.some(({ whole = true }) => !whole)) return [];
  const answering = answeringThings(world);
  return open.map((one) => ({
    kind: 'unattributed',
    sourceId: one.sourceId,
    ref: one.claim.ref,
    because: candidates(one, answering).length === 0 ? 'nobody' : 'several',
  }));
};
