/** Reads a real machine's files below its root. */
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat, statfs } from 'node:fs/promises';
import { posix } from 'node:path';
import type { CommandRunner } from '../../runtime/command.ts';
import {
  type BytesRead,
  LISTED_NAMES,
  type ListRead,
  type ReadFailure,
  type RootReader,
  type SpaceRead,
  type SpaceRequest,
  TEXT_BYTES,
  type TextRead,
} from './root-reader.ts';
import { parseStatOutput, STAT_FORMAT } from './stat-output.ts';

export interface LiveRootReaderDeps {
  readonly root: string;
  readonly runner: CommandRunner;
  /** Of one question about the space of a remote mount. */
  readonly remoteTimeoutMs: number;
}

const CHUNK_BYTES = 65_536;
/** A FIFO or a tape in place of a file must not hold the survey up. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

export const createLiveRootReader = ({ root, runner, remoteTimeoutMs }: LiveRootReaderDeps): RootReader => {
  const below = (path: string): string => (root === '/' ? path : posix.join(root, path));
  return {
    root,
    readText: (path, maxBytes = TEXT_BYTES) => readText(below(path), maxBytes),
    readTail: (path, maxBytes) => readTail(below(path), maxBytes),
    list: (path) => list(below(path)),
    realPath: async (path) => {
      try {
        const resolved = await realpath(below(path));
        return root === '/' ? resolved : `/${posix.relative(root, resolved)}`;
      } catch {
        return null;
      }
    },
    space: (request) =>
      request.remote
        ? remoteSpace(below(request.mountPoint), request, runner, remoteTimeoutMs)
        : localSpace(below(request.mountPoint)),
  };
};

const readText = (path: string, maxBytes: number): Promise<TextRead> =>
  withFile(path, async (file): Promise<TextRead> => {
    const chunks: Buffer[] = [];
    let total = 0;
    // One byte more than wanted, to tell a file that ends here from one that goes on.
    while (total <= maxBytes) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(CHUNK_BYTES, maxBytes + 1 - total)));
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      total += bytesRead;
    }
    const text = Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
    return { kind: 'read', text, cut: total > maxBytes };
  });

const readTail = (path: string, maxBytes: number): Promise<BytesRead> =>
  withFile(path, async (file): Promise<BytesRead> => {
    const { size } = await file.stat();
    const length = Math.min(size, maxBytes);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return { kind: 'read', bytes: buffer.subarray(0, bytesRead) };
  });

const withFile = async <T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T | ReadFailure> => {
  try {
    const file = await open(path, OPEN_FLAGS);
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    return failureOf(error);
  }
};

const list = async (path: string): Promise<ListRead> => {
  try {
    const names = (await readdir(path)).sort();
    return { kind: 'read', names: names.slice(0, LISTED_NAMES), cut: names.length > LISTED_NAMES };
  } catch (error) {
    return failureOf(error);
  }
};

/** Occupies a thread of the pool until the kernel answers: the caller bounds how many of these are under way. */
const localSpace = async (path: string): Promise<SpaceRead> => {
  try {
    const [space, { dev }] = await Promise.all([statfs(path, { bigint: true }), stat(path, { bigint: true })]);
    const blockBytes = Number(space.bsize);
    return {
      kind: 'read',
      space: {
        sizeBytes: Number(space.blocks) * blockBytes,
        freeBytes: Number(space.bfree) * blockBytes,
        availableBytes: Number(space.bavail) * blockBytes,
        inodesTotal: Number(space.files),
        inodesFree: Number(space.ffree),
        magic: Number(space.type),
        device: deviceOf(dev),
      },
    };
  } catch (error) {
    return failureOf(error);
  }
};

/** A process can be killed or left behind; a thread of ours could not. */
const remoteSpace = async (
  path: string,
  { signal }: SpaceRequest,
  runner: CommandRunner,
  timeoutMs: number,
): Promise<SpaceRead> => {
  const args = ['-f', '-c', STAT_FORMAT, '--', path];
  const result = await runner.run({ file: 'stat', args, timeoutMs, maxOutputBytes: 4_096, signal });
  switch (result.kind) {
    case 'exited':
      return parseStatOutput(result);
    case 'timed_out':
    case 'stuck':
      return { kind: 'failed', reason: 'the file system does not answer' };
    case 'not_found':
      return { kind: 'failed', reason: '`stat` is not installed' };
    default:
      return { kind: 'failed', reason: '`stat` did not run to its end' };
  }
};

/** glibc's gnu_dev_major and gnu_dev_minor. */
const deviceOf = (dev: bigint): string => {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
};

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENODEV', 'ENXIO', 'EOPNOTSUPP']);

const failureOf = (error: unknown): ReadFailure => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (ABSENT.has(code)) return { kind: 'absent' };
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'denied' };
  return { kind: 'failed', reason: code === '' ? String(error) : code };
};
