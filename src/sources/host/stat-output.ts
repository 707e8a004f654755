/** What `stat -f` (coreutils, busybox) says of the space of a mount. */
import type { SpaceRead } from './root-reader.ts';

/** Type in hex, fundamental block size, blocks, free, available, inodes, free inodes: stat(1). */
export const STAT_FORMAT = '%t %S %b %f %a %c %d';

const numbersOf = (line: string): readonly number[] | null => {
  const words = line.trim().split(' ');
  const [magic, ...figures] = words;
  if (magic === undefined || words.length !== 7) return null;
  const numbers = [Number.parseInt(magic, 16), ...figures.map(Number)];
  return numbers.every((value) => Number.isFinite(value) && value >= 0) ? numbers : null;
};

export const parseStatOutput = (result: { code: number; stdout: string; stderr: string }): SpaceRead => {
  if (result.code !== 0) {
    if (/permission denied|not permitted/i.test(result.stderr)) return { kind: 'denied' };
    if (/no such file/i.test(result.stderr)) return { kind: 'absent' };
    if (/stale file handle/i.test(result.stderr)) return { kind: 'failed', reason: 'stale file handle (ESTALE)' };
    return { kind: 'failed', reason: `\`stat\` ended with ${result.code}` };
  }
  const numbers = numbersOf(result.stdout);
  if (numbers === null) return { kind: 'failed', reason: '`stat` printed something else than figures' };
  const [magic = 0, blockBytes = 0, blocks = 0, free = 0, available = 0, inodesTotal = 0, inodesFree = 0] = numbers;
  return {
    kind: 'read',
    space: {
      sizeBytes: blocks * blockBytes,
      freeBytes: free * blockBytes,
      availableBytes: available * blockBytes,
      inodesTotal,
      inodesFree,
      magic,
      device: null,
    },
  };
};
