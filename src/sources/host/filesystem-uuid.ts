/** Finds the UUID of a mounted file system without opening its device. */
import { posix } from 'node:path';
import type { Mount } from './mountinfo.ts';
import { namesIn, type RootReader, readLine } from './root-reader.ts';
import { readUdevRecord } from './udev-record.ts';

/** Links below /dev/disk/by-uuid that are followed. */
const LINKS = 256;

export interface UuidFinder {
  find(mount: Mount): Promise<string | null>;
}

/** Remembers the links of one survey. */
export const createUuidFinder = (reader: RootReader): UuidFinder => {
  let links: Promise<ReadonlyMap<string, string>> | null = null;
  return {
    find: async (mount) => {
      if (!mount.source.startsWith('/dev/')) return null;
      const device = mount.fsType === 'btrfs' ? await deviceNumberOf(reader, mount.source) : mount.device;
      const fromUdev = device === null ? undefined : (await readUdevRecord(reader, device)).get('ID_FS_UUID');
      if (fromUdev !== undefined) return fromUdev;
      links ??= readLinks(reader);
      return (await links).get(await kernelNameOf(reader, mount.source)) ?? null;
    },
  };
};

/** `/dev/mapper/vg-root` is a link to `../dm-0`. */
const kernelNameOf = async (reader: RootReader, source: string): Promise<string> =>
  posix.basename((await reader.realPath(source)) ?? source);

const deviceNumberOf = async (reader: RootReader, source: string): Promise<string | null> =>
  readLine(reader, `/sys/class/block/${await kernelNameOf(reader, source)}/dev`);

const readLinks = async (reader: RootReader): Promise<ReadonlyMap<string, string>> => {
  const directory = '/dev/disk/by-uuid';
  const uuids = (await namesIn(reader, directory)).slice(0, LINKS);
  const entries = await Promise.all(
    uuids.map(async (uuid) => {
      const target = await reader.realPath(`${directory}/${uuid}`);
      return target === null ? [] : [[posix.basename(target), uuid] as const];
    }),
  );
  return new Map(entries.flat());
};
