import { expect, test } from 'vitest';
import { parseStatOutput } from '../../../src/sources/host/stat-output.ts';

test('blocks count in the fundamental block size', () => {
  expect(parseStatOutput({ code: 0, stdout: '6969 1048576 100 40 30 500 60\n', stderr: '' })).toEqual({
    kind: 'read',
    space: {
      sizeBytes: 104_857_600,
      freeBytes: 41_943_040,
      availableBytes: 31_457_280,
      inodesTotal: 500,
      inodesFree: 60,
      magic: 0x6969,
      device: null,
    },
  });
});

test.each([
  [1, '', "stat: cannot read file system information for '/x': Permission denied", 'denied'],
  [1, '', "stat: cannot read file system information for '/x': No such file or directory", 'absent'],
  [1, '', "stat: cannot read file system information for '/x': Stale file handle", 'failed'],
  [0, 'nonsense', '', 'failed'],
  [0, '6969 1 2 3', '', 'failed'],
  [0, '6969 -1 2 3 4 5 6', '', 'failed'],
])('%i with %j and %j is %s', (code, stdout, stderr, kind) => {
  expect(parseStatOutput({ code, stdout, stderr }).kind).toBe(kind);
});
