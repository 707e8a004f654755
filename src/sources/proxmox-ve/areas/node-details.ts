/** What each node is asked for at a slower pace: clock, disks, pools, certificates. */
import { z } from 'zod';
import { figure, text } from '../../proxmox/answer-fields.ts';
import { isDue } from '../../proxmox/due.ts';
import { apiPath } from '../../proxmox/proxmox-reader.ts';
import { readSlowPart } from '../../proxmox/slow-part.ts';
import { diskPart } from '../disk-part.ts';
import type { VeNode } from '../estate.ts';
import { keepBoots } from '../node-boots.ts';
import { readCertificates } from '../node-certificates.ts';
import { keepTimeZones } from '../node-clocks.ts';
import { thinPoolPart } from '../thin-pool-part.ts';
import type { VeArea, VeWorld } from '../world.ts';
import { zfsPart } from '../zfs-part.ts';

const timeAnswer = z.looseObject({ time: z.number(), timezone: text });
const statusAnswer = z.looseObject({ uptime: figure });

/** Proxmox tells whole seconds. */
const RESOLUTION_MS = 1_000;

export const nodeDetailsArea: VeArea = {
  name: 'node-details',
  read: async (world) => {
    const zones = new Map<string, string>();
    const boots = new Map<string, number>();
    const { nodes } = world.estate;
    await Promise.all(nodes.map((node) => readClock(world, node, zones, boots)));
    keepTimeZones(world, zones);
    keepBoots(world, boots);
    await Promise.all(nodes.map((node) => readCertificates(world, node)));
    await Promise.all(nodes.map((node) => readParts(world, node)));
  },
};

const readClock = async (
  world: VeWorld,
  node: VeNode,
  zones: Map<string, string>,
  boots: Map<string, number>,
): Promise<void> => {
  const { ask, clock, out } = world;
  if (node.online === false) return;
  out.expect(node.ref, 'clock');
  if (!isDue(world, 'hourly')) {
    out.gap({ ref: node.ref, reads: ['clock'], code: 'not_due', reason: 'clocks are compared once an hour' });
    return;
  }
  const askedAtMs = clock.nowMs();
  const read = await ask.get(apiPath('nodes', node.name, 'time'), timeAnswer);
  const receivedAtMs = clock.nowMs();
  if (!read.ok) {
    out.gap({ ref: node.ref, reads: ['clock'], code: read.failure.code, reason: read.failure.reason });
    return;
  }
  const { time, timezone } = read.value;
  if (timezone !== undefined && timezone !== '') zones.set(node.name, timezone);
  // The second has gone on for half of itself, and the answer was made half-way between.
  const offsetMs = Math.round(time * 1000 + RESOLUTION_MS / 2 - (askedAtMs + receivedAtMs) / 2);
  out.read(
    node.ref,
    { kind: 'clock', synchronised: null, offsetMs, estimatedErrorMs: null, resolutionMs: RESOLUTION_MS },
    receivedAtMs,
  );
  const status = await ask.get(apiPath('nodes', node.name, 'status'), statusAnswer);
  const uptimeS = status.ok ? (status.value.uptime ?? 0) : 0;
  if (uptimeS > 0) boots.set(node.name, Math.round(time - uptimeS));
};

const readParts = async (world: VeWorld, node: VeNode): Promise<void> => {
  const { out } = world;
  if (await readSlowPart(world, diskPart, node)) out.list('disk', node.ref);
  const [zfs, thin] = [await readSlowPart(world, zfsPart, node), await readSlowPart(world, thinPoolPart, node)];
  // Both kinds of pools are one list.
  if (zfs && thin) out.list('pool', node.ref);
};
