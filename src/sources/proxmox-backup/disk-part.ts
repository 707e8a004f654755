/** Disks of the machine that a backup server runs on. */
import { z } from 'zod';
import { figure, text } from '../proxmox/answer-fields.ts';
import { isDue } from '../proxmox/due.ts';
import {
  DISK_READS,
  diskClaim,
  diskReadings,
  isVirtualDisk,
  listedDisk,
  type ProxmoxDisk,
  temperatureGap,
  whyDiskRests,
} from '../proxmox/proxmox-disk.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import type { SlowAnswer, SlowPart, SlowPlace, SlowThing } from '../proxmox/slow-part.ts';
import { pbsDiskHealth, pbsSmartAnswer } from './disk-health.ts';
import { proxmoxBackupLimits } from './proxmox-backup-limits.ts';
import type { PbsWorld } from './world.ts';

const diskItem = z.looseObject({
  name: z.string().min(1).max(128),
  devpath: text,
  /** NVMe disks are `ssd`. */
  'disk-type': text,
  model: text,
  vendor: text,
  serial: text,
  wwn: text,
  size: figure,
  rpm: figure,
  used: text,
  wearout: figure,
});
type DiskItem = z.infer<typeof diskItem>;

const TYPES = ['hdd', 'ssd', 'usb'] as const;

const toDisk = (item: DiskItem): ProxmoxDisk => {
  const devpath = item.devpath ?? `/dev/${item.name}`;
  const type = TYPES.find((known) => known === item['disk-type']) ?? 'unknown';
  return { ...item, devpath, type: /\/nvme\d/.test(devpath) ? 'nvme' : type };
};

export const diskPart: SlowPart<PbsWorld, SlowPlace> = {
  name: 'disks',
  pace: 'hourly',
  reads: ['smart'],
  read: async (world, place): Promise<SlowAnswer> => {
    // SMART data of a whole list would wake every disk that sleeps.
    const read = await world.ask.list(apiPath('nodes', 'localhost', 'disks', 'list'), diskItem, { skipsmart: 1 });
    if (!read.ok) return read;
    const { items, dropped } = read.value;
    const disks = items.slice(0, proxmoxBackupLimits.disks).map(toDisk);
    const things = await Promise.all(disks.map((disk) => readDisk(world, place, disk)));
    return { ok: true, things, isWhole: dropped === 0 && disks.length === items.length };
  },
};

const readDisk = async (world: PbsWorld, place: SlowPlace, disk: ProxmoxDisk): Promise<SlowThing> => {
  const isVirtual = isVirtualDisk(disk);
  const claim = diskClaim(place, disk, isVirtual);
  if (isVirtual) return { claim, readings: [] };
  const rests = whyDiskRests(disk, world.config.smart, isDue(world, 'daily'));
  if (rests !== null) return { claim, readings: [], gaps: [{ reads: DISK_READS, ...rests }] };
  const name = disk.devpath.replace(/^\/dev\//, '');
  const read = await world.ask.get(apiPath('nodes', 'localhost', 'disks', 'smart'), pbsSmartAnswer, { disk: name });
  if (!read.ok) {
    const { code, reason, status } = read.failure;
    // 400 with smartctl's exit code: a controller or bridge that hides the disk.
    return {
      claim,
      readings: [],
      gaps: [{ reads: DISK_READS, code: status === 400 ? 'not_supported' : code, reason }],
    };
  }
  const health = pbsDiskHealth(read.value, listedDisk(disk));
  if (health === null) {
    const reason = `${disk.devpath} on ${place.name} has no SMART, or it is switched off`;
    return { claim, readings: [], gaps: [{ reads: DISK_READS, code: 'not_supported', reason }] };
  }
  return { claim, readings: diskReadings(health, disk), gaps: temperatureGap(health, disk) };
};
