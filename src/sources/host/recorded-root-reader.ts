/** Reads the files of a recorded machine. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { RecordedMachine, Recording } from './recording.ts';
import { LISTED_NAMES, type ReadFailure, type RootReader, type SpaceRead, TEXT_BYTES } from './root-reader.ts';

const LINK_HOPS = 40;

export const createRecordedRootReader = (recording: Recording, root = '/'): RootReader => {
  const onDisk = (path: string): string => join(recording.directory, 'root', path);
  const open = async (path: string): Promise<{ machine: RecordedMachine; real: string }> => {
    const machine = await recording.machine();
    return { machine, real: resolveLinks(path, machine.links) };
  };
  const readBytes = async (path: string): Promise<Buffer | ReadFailure> => {
    const { machine, real } = await open(path);
    if (isDenied(machine, real)) return { kind: 'denied' };
    return readFile(onDisk(real)).catch(() => ({ kind: 'absent' as const }));
  };
  return {
    root,
    readText: async (path, maxBytes = TEXT_BYTES) => {
      const bytes = await readBytes(path);
      if (!Buffer.isBuffer(bytes)) return bytes;
      const text = recording.replay(bytes.toString('utf8'));
      return { kind: 'read', text: text.slice(0, maxBytes), cut: text.length > maxBytes };
    },
    readTail: async (path, maxBytes) => {
      const bytes = await readBytes(path);
      return Buffer.isBuffer(bytes) ? { kind: 'read', bytes: bytes.subarray(-maxBytes) } : bytes;
    },
    list: async (path) => {
      const { machine, real } = await open(path);
      if (isDenied(machine, real)) return { kind: 'denied' };
      const names = new Set(await readdir(onDisk(real)).catch((): string[] => []));
      for (const known of [...Object.keys(machine.links), ...machine.directories, ...machine.denied]) {
        const name = childOf(known, real);
        if (name !== null) names.add(name);
      }
      if (names.size === 0 && !machine.directories.includes(real)) return { kind: 'absent' };
      return { kind: 'read', names: [...names].sort().slice(0, LISTED_NAMES), cut: names.size > LISTED_NAMES };
    },
    realPath: async (path) => {
      const { machine, real } = await open(path);
      const isKnown = [...Object.keys(machine.links), ...machine.directories].some(
        (known) => known === real || known.startsWith(`${real}/`),
      );
      // A link was recorded for where it leads; what is there need not be.
      if (isKnown || real !== path) return real;
      return stat(onDisk(real)).then(
        () => real,
        () => null,
      );
    },
    space: async ({ mountPoint }) => spaceOf((await recording.machine()).space[mountPoint]),
  };
};

const isDenied = ({ denied }: RecordedMachine, path: string): boolean =>
  denied.some((entry) => path === entry || path.startsWith(`${entry}/`));

const childOf = (path: string, directory: string): string | null => {
  const prefix = directory === '/' ? '/' : `${directory}/`;
  return path.startsWith(prefix) ? (path.slice(prefix.length).split('/')[0] ?? null) : null;
};

/** Component by component, as the kernel does. */
const resolveLinks = (path: string, links: RecordedMachine['links']): string => {
  let done = '/';
  let rest = path.split('/').filter((name) => name !== '');
  for (let hops = 0; rest.length > 0; ) {
    const [name = '', ...after] = rest;
    const next = posix.join(done, name);
    const target = links[next];
    if (target === undefined || hops >= LINK_HOPS) {
      done = next;
      rest = after;
      continue;
    }
    hops += 1;
    rest = [
      ...posix
        .resolve(done, target)
        .split('/')
        .filter((part) => part !== ''),
      ...after,
    ];
    done = '/';
  }
  return done;
};

const spaceOf = (space: RecordedMachine['space'][string] | undefined): Promise<SpaceRead> => {
  if (space === undefined) return Promise.resolve({ kind: 'absent' });
  if (space === 'denied') return Promise.resolve({ kind: 'denied' });
  if (space === 'hangs') return new Promise(() => undefined);
  return Promise.resolve({
    kind: 'read',
    space: { ...space, availableBytes: space.availableBytes ?? space.freeBytes },
  });
};
