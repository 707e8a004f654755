/** Disks of a node: who they are, and how they are by their own word. */
import { z } from 'zod';
import type { ReadingBody, ReadingKind } from '../../../signals/reading.ts';
import type { Gap } from '../../../signals/survey.ts';
import { cleanText } from '../../runtime/text.ts';
import { diskKeys, normaliseDiskText } from '../disk-keys.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import { figure, text } from './answer-fields.ts';
import { isDue } from './due.ts';
import type { VeNode } from './estate.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';
import type { SlowAnswer, SlowPart, SlowThing } from './slow-part.ts';
import { smartAnswer } from './smart-answer.ts';
import { type DiskHealth, diskHealth, type ListedDisk } from './smart-reading.ts';
import type { VeWorld } from './world.ts';

const listedDisk = z.looseObject({
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
type Listed = z.infer<typeof listedDisk>;

const READS: readonly ReadingKind[] = ['smart', 'temperature'];

/** Disks of virtual machines and of iSCSI targets say nothing of their health. */
const VIRTUAL = /^(?:QEMU|VMware|VBOX|Virtual|msft)/i;

export const diskPart: SlowPart = {
  name: 'disks',
  pace: 'hourly',
  reads: ['smart'],
  read: async (world, node): Promise<SlowAnswer> => {
    // SMART data of a whole list would wake every disk that sleeps.
    const path = apiPath('nodes', node.name, 'disks', 'list');
    const read = await world.ask.list(path, listedDisk, { skipsmart: 1 });
    if (!read.ok) return read;
    const { items, dropped } = read.value;
    const disks = items.slice(0, proxmoxVeLimits.disksPerNode);
    const things = await Promise.all(disks.map((disk) => readDisk(world, node, disk)));
    return { ok: true, things, isWhole: dropped === 0 && disks.length === items.length };
  },
};

const readDisk = async (world: VeWorld, node: VeNode, disk: Listed): Promise<SlowThing> => {
  const isVirtual =
    VIRTUAL.test(`${disk.model ?? ''}`) || VIRTUAL.test(`${disk.vendor ?? ''}`) || /\/vd[a-z]+$/.test(disk.devpath);
  const claim = claimOf(node, disk, isVirtual);
  if (isVirtual) return { claim, readings: [] };
  const rests = whyNotAsked(world, disk);
  if (rests !== null) return { claim, readings: [], gaps: [{ reads: READS, ...rests }] };
  const read = await world.ask.get(apiPath('nodes', node.name, 'disks', 'smart'), smartAnswer, { disk: disk.devpath });
  if (!read.ok) {
    const { code, reason } = read.failure;
    // 500 with smartctl's exit code: a controller or bridge that hides the disk.
    const isHidden = read.failure.status === 500;
    return { claim, readings: [], gaps: [{ reads: READS, code: isHidden ? 'not_supported' : code, reason }] };
  }
  const health = diskHealth(read.value, listedOf(disk));
  if (health === null) {
    const reason = `${disk.devpath} on ${node.name} has no SMART, or it is switched off`;
    return { claim, readings: [], gaps: [{ reads: READS, code: 'not_supported', reason }] };
  }
  return { claim, readings: readingsOf(health, disk), gaps: temperatureGap(health, disk) };
};

const listedOf = ({ type, wearout }: Listed): ListedDisk => ({ type, lifeLeftPercent: wearout ?? null });

/** Asking wakes a disk: rotating ones are asked at the slowest pace. */
const whyNotAsked = (world: VeWorld, { type }: Listed): Omit<Gap, 'ref' | 'reads'> | null => {
  const { smart } = world.config;
  const isRotating = type !== 'ssd' && type !== 'nvme';
  if (smart === 'off') return { code: 'not_permitted', reason: 'smart is off in the config' };
  if (!isRotating) return null;
  if (smart === 'ssd') return { code: 'not_permitted', reason: 'smart: ssd leaves rotating disks alone' };
  return isDue(world, 'daily')
    ? null
    : { code: 'not_due', reason: 'rotating disks are asked at patrols and once a day: it would wake them' };
};

const readingsOf = ({ reading, celsius }: DiskHealth, disk: Listed): readonly ReadingBody[] => [
  reading,
  ...(celsius === null
    ? []
    : [
        {
          kind: 'temperature' as const,
          sensor: 'drive',
          celsius,
          warnCelsius: null,
          criticalCelsius: null,
          deviceClass:
            disk.type === 'nvme' ? ('nvme' as const) : disk.type === 'ssd' ? ('sata-ssd' as const) : ('hdd' as const),
          windowMs: 0,
          observedRatio: 1,
        },
      ]),
];

const temperatureGap = ({ celsius }: DiskHealth, { devpath }: Listed): readonly Omit<Gap, 'ref'>[] =>
  celsius === null
    ? [{ reads: ['temperature'], code: 'not_supported', reason: `${devpath} tells no temperature` }]
    : [];

const claimOf = (node: VeNode, disk: Listed, isVirtual: boolean): SlowThing['claim'] => {
  const { devpath, type } = disk;
  const device = cleanText(devpath.replace(/^\/dev\//, ''), 64);
  const model = known(disk.model);
  const serial = known(disk.serial);
  // A bridge's own names would be carried on to the next disk in it.
  const isBridged = type === 'usb';
  const wwn = isBridged ? null : known(disk.wwn);
  const slug = [model, serial].map((part) => (part === null ? null : normaliseDiskText(part)));
  return {
    ref: `disk:${node.name}/${device}`,
    kind: 'disk',
    name: model === null ? device : `${device} (${model.replaceAll('_', ' ')})`,
    parentRef: node.ref,
    keys: diskKeys({ wwn, model, serial, isExact: !isBridged, device }),
    slug: slug.includes(null) ? device : slug.join('-').toLowerCase(),
    expects: isVirtual ? [] : ['smart'],
    facts: {
      ...(model === null ? {} : { model: model.replaceAll('_', ' ') }),
      ...(serial === null ? {} : { serial }),
      device: cleanText(devpath, 64),
      rotational: type === 'hdd' || (disk.rpm ?? 0) > 0,
      ...(disk.size === undefined ? {} : { sizeBytes: disk.size }),
      ...(disk.used === undefined ? {} : { usedFor: cleanText(disk.used, 64) }),
      ...(isVirtual ? { virtual: true } : {}),
    },
  };
};

/** Proxmox writes `unknown` for what udev does not tell. */
const known = (value: string | undefined): string | null => {
  const clean = cleanText(value ?? '', proxmoxVeLimits.nameLength);
  return clean === '' || clean.toLowerCase() === 'unknown' ? null : clean;
};
