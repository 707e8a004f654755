/** What is remembered of guests whose config was read in an earlier survey. */
import { z } from 'zod';
import type { SourceState } from '../source.ts';

/** Short names: there are thousands. */
const rememberedGuest = z.object({
  /** When the guest was made, seconds as its config has them. */
  b: z.string().optional(),
  /** 1: started with its node. */
  o: z.number().optional(),
  /** 1: a guest agent is set up. */
  a: z.number().optional(),
  /** Snapshots that it had. */
  s: z.number().optional(),
  /** Mount points that its config leaves out of backups by name. */
  x: z.array(z.string()).optional(),
  /** 1: its agent has answered at some time. */
  g: z.number().optional(),
  /** 1: its agent did not answer when it was asked last. */
  f: z.number().optional(),
  /** When its agent was asked last, seconds. */
  ag: z.number().optional(),
  ip: z.array(z.string()).optional(),
  /** When its details were read, seconds. */
  at: z.number(),
});
export type RememberedGuest = z.infer<typeof rememberedGuest>;

export type GuestMemory = ReadonlyMap<string, RememberedGuest>;

const schema = z.record(z.string(), rememberedGuest);

/** One value of a source's state holds 1 MiB; a guest takes some hundred bytes. */
const SHARDS = 16;
const shardOf = (vmid: string): number => [...vmid].reduce((sum, digit) => sum + digit.charCodeAt(0), 0) % SHARDS;
const shards = Array.from({ length: SHARDS }, (_each, index) => index);
const stateKey = (shard: number): string => `guests/${shard}`;

export const recallGuests = (state: SourceState): GuestMemory =>
  new Map(shards.flatMap((shard) => Object.entries(schema.safeParse(state.get(stateKey(shard))).data ?? {})));

/** Of guests that are no more nothing is kept: another one under the same number is another. */
export const keepGuests = (state: SourceState, memory: GuestMemory, vmids: ReadonlySet<string>): void => {
  const kept = Map.groupBy(
    [...memory].filter(([vmid]) => vmids.has(vmid)),
    ([vmid]) => shardOf(vmid),
  );
  for (const shard of shards) state.set(stateKey(shard), Object.fromEntries(kept.get(shard) ?? []));
};
