/** When nodes booted, kept from their last answer, since lists tell an uptime only. */
import { z } from 'zod';
import type { VeNode } from './estate.ts';
import type { VeWorld } from './world.ts';

const STATE_KEY = 'node-boots';
/** Uptimes of the lists are some seconds old. */
const TOLERANCE_S = 120;

const bootsSchema = z.record(z.string(), z.number());

const keptBoots = ({ state }: Pick<VeWorld, 'state'>): Readonly<Record<string, number>> =>
  bootsSchema.safeParse(state.get(STATE_KEY)).data ?? {};

/** Seconds of the epoch; null: not known, or the node has booted since it was told. */
export const bootOf = (world: Pick<VeWorld, 'state' | 'clock'>, node: VeNode): number | null => {
  const kept = keptBoots(world)[node.name];
  const uptimeS = node.stats?.uptime ?? 0;
  if (kept === undefined || node.online === false) return kept ?? null;
  if (uptimeS === 0) return kept;
  const seen = Math.round(world.clock.nowMs() / 1000) - uptimeS;
  return Math.abs(seen - kept) <= TOLERANCE_S ? kept : null;
};

export const keepBoots = (world: Pick<VeWorld, 'state'>, boots: ReadonlyMap<string, number>): void => {
  if (boots.size > 0) world.state.set(STATE_KEY, { ...keptBoots(world), ...Object.fromEntries(boots) });
};
