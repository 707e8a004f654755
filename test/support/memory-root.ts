/** A machine's files as a test writes them down. */
import { posix } from 'node:path';
import type { MountSpace, RootReader, SpaceRead } from '../../src/sources/host/root-reader.ts';

export interface MemoryRoot {
  readonly root?: string;
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly directories?: readonly string[];
  readonly denied?: readonly string[];
  readonly space?: (mountPoint: string) => Promise<SpaceRead>;
}

export const spaceOf = (more: Partial<MountSpace> = {}): SpaceRead => ({
  kind: 'read',
  space: {
    sizeBytes: 1_000,
    freeBytes: 400,
    availableBytes: 300,
    inodesTotal: 100,
    inodesFree: 60,
    magic: null,
    device: null,
    ...more,
  },
});

export const memoryRoot = (machine: MemoryRoot): RootReader => {
  const { files = {}, links = {}, directories = [], denied = [] } = machine;
  const known = [...Object.keys(files), ...Object.keys(links), ...directories, ...denied];
  const isDenied = (path: string): boolean => denied.some((entry) => path === entry || path.startsWith(`${entry}/`));
  const bytesOf = (path: string): Buffer | null => {
    const content = files[path];
    return content === undefined ? null : Buffer.from(content);
  };
  return {
    root: machine.root ?? '/',
    readText: async (path, maxBytes = 1_048_576) => {
      if (isDenied(path)) return { kind: 'denied' };
      const bytes = bytesOf(path);
      if (bytes === null) return { kind: 'absent' };
      return { kind: 'read', text: bytes.subarray(0, maxBytes).toString('utf8'), cut: bytes.length > maxBytes };
    },
    readTail: async (path, maxBytes) => {
      if (isDenied(path)) return { kind: 'denied' };
      const bytes = bytesOf(path);
      return bytes === null ? { kind: 'absent' } : { kind: 'read', bytes: bytes.subarray(-maxBytes) };
    },
    list: async (path) => {
      if (isDenied(path)) return { kind: 'denied' };
      const prefix = path === '/' ? '/' : `${path}/`;
      const names = known.flatMap((entry) =>
        entry.startsWith(prefix) ? (entry.slice(prefix.length).split('/')[0] ?? []) : [],
      );
      const found = [...new Set(names)].sort();
      return found.length > 0 || directories.includes(path)
        ? { kind: 'read', names: found, cut: false }
        : { kind: 'absent' };
    },
    realPath: async (path) => {
      const target = links[path];
      if (target !== undefined) return posix.resolve(posix.dirname(path), target);
      return known.some((entry) => entry === path || entry.startsWith(`${path}/`)) ? path : null;
    },
    space: ({ mountPoint }) => machine.space?.(mountPoint) ?? Promise.resolve(spaceOf()),
  };
};
