/** A part of a machine that is read at a slower pace: in between, and where it can't be read, its things are still there. */
import { z } from 'zod';
import type { ReadingBody, ReadingKind } from '../../../signals/reading.ts';
import type { Facts, ResourceKind } from '../../../signals/resource.ts';
import type { Gap } from '../../../signals/survey.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ClaimInput, SightingBuilder } from '../sighting-builder.ts';
import type { Pace, SourceState, SurveyRequest } from '../source.ts';
import { isDue } from './due.ts';
import type { ProxmoxFailure } from './proxmox-failure.ts';

/** What a survey has to bring along. */
export interface SlowWorld {
  readonly request: SurveyRequest;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly state: SourceState;
  readonly out: SightingBuilder;
}

/** The machine that the things are of. */
export interface SlowPlace {
  readonly name: string;
  readonly ref: string;
  /** Null: not told. */
  readonly online: boolean | null;
}

/** One thing with what was read of it. */
export interface SlowThing {
  readonly claim: ClaimInput & { readonly expects: readonly ReadingKind[] };
  readonly readings: readonly ReadingBody[];
  readonly gaps?: readonly Omit<Gap, 'ref'>[];
}

/** `isWhole`: what is not among the things is not there. */
export type SlowAnswer =
  | { readonly ok: true; readonly things: readonly SlowThing[]; readonly isWhole: boolean }
  | { readonly ok: false; readonly failure: ProxmoxFailure };

export interface SlowPart<World extends SlowWorld, Place extends SlowPlace> {
  /** Part of the key under which its things are remembered. */
  readonly name: string;
  readonly pace: Pace;
  /** What its things are read for: the reads of the gap where it can't be read. */
  readonly reads: readonly ReadingKind[];
  read(world: World, place: Place): Promise<SlowAnswer>;
}

const keySchema = z.object({
  key: z.string(),
  scope: z.enum(['world', 'parent']),
  strength: z.enum(['proof', 'hint']),
});
const claimSchema = z.array(
  z.object({
    ref: z.string(),
    kind: z.string(),
    name: z.string(),
    parentRef: z.string().nullish(),
    slug: z.string().nullish(),
    keys: z.array(keySchema),
    expects: z.array(z.string()),
    facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  }),
);

type PartName = Pick<SlowPart<SlowWorld, SlowPlace>, 'name'>;

const stateKey = ({ name }: PartName, node: SlowPlace): string => `${name}/${node.name}`;

/** What was claimed at the last good read. Written by this file alone, so the kinds in it are ours. */
const recall = ({ state }: SlowWorld, part: PartName, place: SlowPlace): readonly SlowThing['claim'][] => {
  const kept = claimSchema.safeParse(state.get(stateKey(part, place))).data ?? [];
  return kept.map((claim) => ({
    ...claim,
    kind: claim.kind as ResourceKind,
    expects: claim.expects as readonly ReadingKind[],
    parentRef: claim.parentRef ?? null,
    slug: claim.slug ?? null,
    facts: (claim.facts ?? {}) satisfies Facts,
  }));
};

const NOT_DUE: Readonly<Record<Pace, string>> = {
  fast: 'it is read at every survey',
  hourly: 'it is read once an hour',
  daily: 'it is read at patrols and once a day',
};

/** Whether all there is was read now. Never rejects. */
export const readSlowPart = async <World extends SlowWorld, Place extends SlowPlace>(
  world: World,
  part: SlowPart<World, Place>,
  place: Place,
): Promise<boolean> => {
  const { out, state, clock } = world;
  if (place.online === false) return replay(world, part, place, 'unreachable', `node ${place.name} is offline`);
  if (!isDue(world, part.pace)) return replay(world, part, place, 'not_due', NOT_DUE[part.pace]);
  const answer = await part.read(world, place);
  if (!answer.ok) {
    const { code, reason } = answer.failure;
    replay(world, part, place, code, reason);
    out.gap({ ref: place.ref, reads: part.reads, code, reason });
    return false;
  }
  const takenAtMs = clock.nowMs();
  for (const { claim, readings, gaps = [] } of answer.things) {
    out.claim(claim);
    for (const reading of readings) out.read(claim.ref, reading, takenAtMs);
    for (const gap of gaps) out.gap({ ...gap, ref: claim.ref });
  }
  state.set(
    stateKey(part, place),
    answer.things.map(({ claim }) => claim),
  );
  return answer.isWhole;
};

const replay = (world: SlowWorld, part: PartName, place: SlowPlace, code: Gap['code'], reason: string): false => {
  for (const claim of recall(world, part, place)) {
    world.out.claim(claim);
    world.out.gap({ ref: claim.ref, reads: claim.expects, code, reason });
  }
  return false;
};
