/** The disks of the machine, by sysfs and udev alone: nothing is opened, so nothing wakes up. */
import { posix } from 'node:path';
import type { Trouble } from './command-trouble.ts';
import { diskTransport, isRaidVolume, isVirtualDisk, type Transport } from './disk-kind.ts';
import { namesIn, type RootReader, readLine, readNumber } from './root-reader.ts';
import { readUdevRecord, type UdevRecord } from './udev-record.ts';

export interface BlockDisk {
  /** `sda`, `nvme0n1`. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly rotational: boolean;
  readonly removable: boolean;
  readonly transport: Transport;
  /** Made of something else: by a hypervisor, over a network, or by a RAID controller. */
  readonly virtual: boolean;
  readonly vendor: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  readonly wwid: string | null;
  readonly udev: UdevRecord;
  /** Names of the devices in sysfs that sensors hang on. */
  readonly sensorParents: readonly string[];
  /** Reads and writes since boot; it stands still while nobody uses the disk. */
  readonly ioCount: number | null;
}

export interface BlockDisks {
  readonly disks: readonly BlockDisk[];
  /** Why these may not be all; null: they are. */
  readonly trouble: Trouble | null;
}

const DISKS = 256;
/** Sectors in sysfs are of this size, whatever the disk's own are. */
const SECTOR_BYTES = 512;

/** Devices that are made of others, hold no data of their own, or are doors to others. */
const NO_DISKS =
  /^(?:loop|ram|zram|zd|dm-|md|nbd|rbd|drbd|sr|fd|bcache|mtd|pmem|nullb|mmcblk\d+(?:boot|rpmb|gp)|nvme\d+c\d+n)/;

export const readBlockDisks = async (reader: RootReader): Promise<BlockDisks> => {
  const list = await reader.list('/sys/block');
  if (list.kind !== 'read') {
    const reason = 'the list of disks, /sys/block, can not be read here';
    return { disks: [], trouble: { code: list.kind === 'failed' ? 'failed' : 'not_supported', reason } };
  }
  const names = list.names.filter((name) => !NO_DISKS.test(name));
  const disks = await Promise.all(names.slice(0, DISKS).map((name) => readDisk(reader, name)));
  const isCut = list.cut || names.length > DISKS;
  return {
    disks: oneForEachDevice(disks.filter((disk) => disk !== null)),
    trouble: isCut ? { code: 'cut_short', reason: `more than ${DISKS} disks` } : null,
  };
};

/** Namespaces of one NVMe controller are one disk. */
const oneForEachDevice = (disks: readonly BlockDisk[]): readonly BlockDisk[] => {
  const seen = new Set<string>();
  return disks.filter(({ name, sensorParents }) => {
    const parent = name.startsWith('nvme') ? (sensorParents[0] ?? name) : name;
    if (seen.has(parent)) return false;
    seen.add(parent);
    return true;
  });
};

const readDisk = async (reader: RootReader, name: string): Promise<BlockDisk | null> => {
  const base = `/sys/block/${name}`;
  const path = (await reader.realPath(base)) ?? base;
  // With multipath an NVMe disk counts as virtual too, but is one.
  if (path.includes('/devices/virtual/') && !name.startsWith('nvme')) return null;
  const sectors = await readNumber(reader, `${base}/size`);
  // A card reader without a card.
  if (sectors === null || sectors === 0) return null;
  const [device, rotational, removable, vendor, model, stat, devicePath] = await Promise.all([
    readLine(reader, `${base}/dev`),
    readNumber(reader, `${base}/queue/rotational`),
    readNumber(reader, `${base}/removable`),
    readLine(reader, `${base}/device/vendor`),
    readLine(reader, `${base}/device/model`).then((text) => text ?? readLine(reader, `${base}/device/name`)),
    readLine(reader, `${base}/stat`),
    reader.realPath(`${base}/device`),
  ]);
  const udev = device === null ? new Map<string, string>() : await readUdevRecord(reader, device);
  const transport = diskTransport({ name, path, vendor, bus: udev.get('ID_BUS') ?? null });
  const identity = `${vendor ?? ''} ${model ?? ''} ${udev.get('ID_VENDOR') ?? ''} ${udev.get('ID_MODEL') ?? ''}`;
  return {
    name,
    sizeBytes: sectors * SECTOR_BYTES,
    rotational: rotational === 1,
    removable: removable === 1,
    transport,
    virtual: isVirtualDisk(name, transport, identity) || isRaidVolume(identity),
    vendor,
    model,
    serial: await readSerial(reader, base),
    wwid: (await readLine(reader, `${base}/wwid`)) ?? (await readLine(reader, `${base}/device/wwid`)),
    udev,
    sensorParents: devicePath === null ? [] : await sensorParentsOf(reader, devicePath),
    ioCount: stat === null ? null : ioCountOf(stat),
  };
};

/** NVMe and eMMC say it in a file; of SCSI and SATA it is the inquiry's page 0x80, after a header of four bytes. */
const readSerial = async (reader: RootReader, base: string): Promise<string | null> => {
  const plain = (await readLine(reader, `${base}/device/serial`)) ?? (await readLine(reader, `${base}/serial`));
  if (plain !== null) return plain;
  const page = await reader.readText(`${base}/device/vpd_pg80`, 256);
  if (page.kind !== 'read') return null;
  const text = page.text
    .slice(4)
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim();
  return text === '' ? null : text;
};

/** The device itself; below an NVMe subsystem its controllers. */
const sensorParentsOf = async (reader: RootReader, devicePath: string): Promise<readonly string[]> => {
  const own = posix.basename(devicePath);
  if (!own.startsWith('nvme-subsys')) return [own];
  return (await namesIn(reader, devicePath)).filter((name) => /^nvme\d+$/.test(name));
};

/** Columns 1 and 5 of /sys/block/<disk>/stat (Documentation/block/stat.rst). */
const ioCountOf = (stat: string): number | null => {
  const columns = stat.split(/\s+/).map(Number);
  const total = (columns[0] ?? Number.NaN) + (columns[4] ?? Number.NaN);
  return Number.isFinite(total) ? total : null;
};
