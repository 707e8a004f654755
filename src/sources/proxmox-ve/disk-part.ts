/** Disks of a node: who they are, and how they are by their own word. */
import { z } from 'zod';
import { figure, text } from '../proxmox/answer-fields.ts';
import { isDue } from '../proxmox/due.ts';
import {
  DISK_READS,
  diskClaim,
  diskReadings,
  isVirtualDisk,
  listedDisk,
  temperatureGap,
  whyDiskRests,
} from '../proxmox/proxmox-disk.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import type { SlowAnswer, SlowPart, SlowThing } from '../proxmox/slow-part.ts';
import { smartAnswer } from '../proxmox/smart/smart-answer.ts';
import { diskHealth } from '../proxmox/smart/smart-reading.ts';
import type { VeNode } from './estate.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';
import type { VeWorld } from './world.ts';

const diskItem = z.looseObject({
  devpath: z.string().min(1).max(256),
  type: z.enum(['hdd', 'ssd', 'nvme', 'usb']).catch('unknown' as never),
  model: text,
  vendor: text,
  serial: text,
  wwn: text,
  size: figure,
  rpm: figure,
  used: text,
  /** Life left in percent, or `N/A`. */
  wearout: figure,
});
type Listed = z.infer<typeof diskItem>;

export const diskPart: SlowPart<VeWorld, VeNode> = {
  name: 'disks',
  pace: 'hourly',
  reads: ['smart'],
  read: async (world, node): Promise<SlowAnswer> => {
    // SMART data of a whole list would wake every disk that sleeps.
    const path = apiPath('nodes', node.name, 'disks', 'list');
    const read = await world.ask.list(path, diskItem, { skipsmart: 1 });
    if (!read.ok) return read;
    const { items, dropped } = read.value;
    const disks = items.slice(0, proxmoxVeLimits.disksPerNode);
    const things = await Promise.all(disks.map((disk) => readDisk(world, node, disk)));
    return { ok: true, things, isWhole: dropped === 0 && disks.length === items.length };
  },
};

const readDisk = async (world: VeWorld, node: VeNode, disk: Listed): Promise<SlowThing> => {
  const isVirtual = isVirtualDisk(disk);
  const claim = diskClaim(node, disk, isVirtual);
  if (isVirtual) return { claim, readings: [] };
  const rests = whyDiskRests(disk, world.config.smart, isDue(world, 'daily'));
  if (rests !== null) return { claim, readings: [], gaps: [{ reads: DISK_READS, ...rests }] };
  const read = await world.ask.get(apiPath('nodes', node.name, 'disks', 'smart'), smartAnswer, { disk: disk.devpath });
  if (!read.ok) {
    const { code, reason } = read.failure;
    // 500 with smartctl's exit code: a controller or bridge that hides the disk.
    const isHidden = read.failure.status === 500;
    return { claim, readings: [], gaps: [{ reads: DISK_READS, code: isHidden ? 'not_supported' : code, reason }] };
  }
  const health = diskHealth(read.value, listedDisk(disk));
  if (health === null) {
    const reason = `${disk.devpath} on ${node.name} has no SMART, or it is switched off`;
    return { claim, readings: [], gaps: [{ reads: DISK_READS, code: 'not_supported', reason }] };
  }
  return { claim, readings: diskReadings(health, disk), gaps: temperatureGap(health, disk) };
};
