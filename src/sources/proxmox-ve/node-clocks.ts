/** Clocks and zones of nodes, kept from their last answer. */
import { z } from 'zod';
import { cleanText } from '../../runtime/text.ts';
import type { VeNode } from './estate.ts';
import type { VeWorld } from './world.ts';

const STATE_KEY = 'node-zones';
const zonesSchema = z.record(z.string(), z.string());

const keptZones = ({ state }: Pick<VeWorld, 'state'>): Readonly<Record<string, string>> =>
  zonesSchema.safeParse(state.get(STATE_KEY)).data ?? {};

/** IANA name; null: never told. */
export const nodeTimeZone = (world: Pick<VeWorld, 'state'>, node: Pick<VeNode, 'name'>): string | null =>
  keptZones(world)[node.name] ?? null;

export const keepTimeZones = (world: Pick<VeWorld, 'state'>, zones: ReadonlyMap<string, string>): void => {
  if (zones.size === 0) return;
  const clean = [...zones].map(([node, zone]) => [node, cleanText(zone, 64)]);
  world.state.set(STATE_KEY, { ...keptZones(world), ...Object.fromEntries(clean) });
};
