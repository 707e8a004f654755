/** Which disks smartctl is asked about, and by which name and type it knows them. */
import { z } from 'zod';
import type { BlockDisk } from './block-disks.ts';
import type { HostContext } from './host-context.ts';
import { parseJson } from './parse-json.ts';

export interface SmartTarget {
  /** How it is remembered. */
  readonly key: string;
  readonly path: string;
  /** `-d`; null: smartctl finds out. */
  readonly type: string | null;
  readonly rotational: boolean;
  /** Tried where smartctl does not know what it is. */
  readonly fallbackType: string | null;
}

/** Disks that can have SMART; sticks and cards have none. */
export const hasSmart = ({ virtual, transport, removable }: BlockDisk): boolean =>
  !virtual && transport !== 'mmc' && !(transport === 'usb' && removable);

/** Named types keep smartctl from finding out, which may wake a disk. USB bridges differ: those it has to look at. */
export const blockTarget = ({ name, transport, rotational }: BlockDisk): SmartTarget => {
  const types = { sata: 'sat', nvme: 'nvme', sas: 'scsi' } as const;
  const type = transport in types ? types[transport as keyof typeof types] : null;
  return { key: name, path: `/dev/${name}`, type, rotational, fallbackType: transport === 'usb' ? 'sat' : null };
};

/** Disks behind RAID controllers. */
const RAID_TYPE = /^(?:sat\+)?(?:megaraid|3ware|areca|aacraid|cciss|hpt|sssraid|jmb39x)\b[\w,/-]*$/;
const RAID_DISKS = 128;
const scanSchema = z.object({ devices: z.array(z.unknown()).default([]) });
const scannedSchema = z.object({ name: z.string().startsWith('/dev/').max(128), type: z.string().max(64) });

/** `--scan` opens nothing, unlike `--scan-open`: sleeping disks stay asleep. Null: there was no answer. */
export const scanRaidDisks = async ({ commands }: HostContext): Promise<readonly RaidAddress[] | null> => {
  const result = await commands.run('smartctl', ['--json=c', '--scan']);
  const scan = scanSchema.safeParse(parseJson(result.kind === 'exited' ? result.stdout : '')).data;
  if (scan === undefined) return null;
  return scan.devices.flatMap((entry) => {
    const device = scannedSchema.safeParse(entry).data;
    return device !== undefined && RAID_TYPE.test(device.type) ? [{ device: device.name, type: device.type }] : [];
  });
};

/** How smartctl is told of one. */
export interface RaidAddress {
  readonly device: string;
  readonly type: string;
}

/** Each once, in their order. */
export const raidTargets = (addresses: readonly RaidAddress[]): readonly SmartTarget[] => {
  const byKey = new Map(addresses.map(raidTarget).map((target) => [target.key, target]));
  return [...byKey.values()].slice(0, RAID_DISKS);
};

const raidTarget = ({ device, type }: RaidAddress): SmartTarget => ({
  key: `${device.replace('/dev/', '')}:${type}`,
  path: device,
  type,
  rotational: true,
  fallbackType: null,
});
