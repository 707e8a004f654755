/** A disk as Proxmox lists it: who it is, whether it may be asked, and what it answered as readings. Pure. */
import type { ReadingBody, ReadingKind } from '../../../signals/reading.ts';
import type { Gap } from '../../../signals/survey.ts';
import { cleanText } from '../../runtime/text.ts';
import { diskKeys, normaliseDiskText } from '../disk-keys.ts';
import type { SlowPlace, SlowThing } from './slow-part.ts';
import type { DiskHealth, ListedDisk } from './smart/smart-reading.ts';

/** What both products tell of a disk, in their own words. */
export interface ProxmoxDisk {
  readonly devpath: string;
  readonly type: ListedDisk['type'];
  readonly model?: string | undefined;
  readonly vendor?: string | undefined;
  readonly serial?: string | undefined;
  readonly wwn?: string | undefined;
  readonly size?: number | undefined;
  readonly rpm?: number | undefined;
  readonly used?: string | undefined;
  /** Life left in percent. */
  readonly wearout?: number | undefined;
}

export const DISK_READS: readonly ReadingKind[] = ['smart', 'temperature'];

const NAME_LENGTH = 128;

/** Disks of virtual machines and of iSCSI targets say nothing of their health. */
const VIRTUAL = /^(?:QEMU|VMware|VBOX|Virtual|msft)/i;

export const isVirtualDisk = ({ devpath, model = '', vendor = '' }: ProxmoxDisk): boolean =>
  VIRTUAL.test(model) || VIRTUAL.test(vendor) || /\/vd[a-z]+$/.test(devpath);

export const listedDisk = ({ type, wearout }: ProxmoxDisk): ListedDisk => ({ type, lifeLeftPercent: wearout ?? null });

/** Asking wakes a disk: rotating ones are asked at the slowest pace. */
export const whyDiskRests = (
  { type }: ProxmoxDisk,
  smart: 'all' | 'ssd' | 'off',
  isDaily: boolean,
): Omit<Gap, 'ref' | 'reads'> | null => {
  const isRotating = type !== 'ssd' && type !== 'nvme';
  if (smart === 'off') return { code: 'not_permitted', reason: 'smart is off in the config' };
  if (!isRotating) return null;
  if (smart === 'ssd') return { code: 'not_permitted', reason: 'smart: ssd leaves rotating disks alone' };
  return isDaily
    ? null
    : { code: 'not_due', reason: 'rotating disks are asked at patrols and once a day: it would wake them' };
};

export const diskReadings = ({ reading, celsius }: DiskHealth, disk: ProxmoxDisk): readonly ReadingBody[] => [
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

export const temperatureGap = ({ celsius }: DiskHealth, { devpath }: ProxmoxDisk): readonly Omit<Gap, 'ref'>[] =>
  celsius === null
    ? [{ reads: ['temperature'], code: 'not_supported', reason: `${devpath} tells no temperature` }]
    : [];

export const diskClaim = (place: SlowPlace, disk: ProxmoxDisk, isVirtual: boolean): SlowThing['claim'] => {
  const { devpath, type } = disk;
  const device = cleanText(devpath.replace(/^\/dev\//, ''), 64);
  const model = known(disk.model);
  const serial = known(disk.serial);
  // A bridge's own names would be carried on to the next disk in it.
  const isBridged = type === 'usb';
  const wwn = isBridged ? null : known(disk.wwn);
  const slug = [model, serial].map((part) => (part === null ? null : normaliseDiskText(part)));
  return {
    ref: `disk:${place.name}/${device}`,
    kind: 'disk',
    name: model === null ? device : `${device} (${model.replaceAll('_', ' ')})`,
    parentRef: place.ref,
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
  const clean = cleanText(value ?? '', NAME_LENGTH);
  return clean === '' || clean.toLowerCase() === 'unknown' ? null : clean;
};
