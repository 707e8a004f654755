import { describe, expect, test } from 'vitest';
import { memoryUse, parseArcstats, parseMeminfo } from '../../../src/sources/host/meminfo.ts';

const KIB = 1_024;
const meminfo = (figures: Readonly<Record<string, number>>) =>
  parseMeminfo(
    Object.entries(figures)
      .map(([name, kib]) => `${name}:  ${kib} kB`)
      .join('\n'),
  );

test('what the kernel calls available is not used, whatever is in the cache', () => {
  const info = meminfo({ MemTotal: 16_000, MemFree: 500, MemAvailable: 12_000, Buffers: 100, Cached: 11_000 });
  expect(memoryUse(info, null, false)).toEqual({
    totalBytes: 16_000 * KIB,
    unavailableBytes: 4_000 * KIB,
    reclaimableArcBytes: null,
  });
});

test('kernels before 3.14 tell no MemAvailable: free and cache without shared memory count', () => {
  const info = meminfo({ MemTotal: 1_000, MemFree: 100, Buffers: 50, Cached: 400, Shmem: 100, SReclaimable: 50 });
  expect(memoryUse(info, null, false)?.unavailableBytes).toBe(500 * KIB);
});

describe('the ARC', () => {
  const arc = parseArcstats(
    '9 1 0x01 147 39984 5600 8640\nname type data\nc_min                           4    102400\nsize                            4    409600\n',
  );

  test('gives back what it holds above its minimum', () => {
    const info = meminfo({ MemTotal: 1_000, MemFree: 100, MemAvailable: 200 });
    expect(memoryUse(info, arc, false)).toMatchObject({
      unavailableBytes: 500 * KIB,
      reclaimableArcBytes: 300 * KIB,
    });
  });

  test('never makes more memory than there is', () => {
    const info = meminfo({ MemTotal: 1_000, MemFree: 900, MemAvailable: 900 });
    expect(memoryUse(info, arc, false)).toMatchObject({ unavailableBytes: 0, reclaimableArcBytes: 100 * KIB });
  });
});

test('in a container whose lxcfs leaves the cache out of MemAvailable, the cache is not used all the same', () => {
  const info = meminfo({ MemTotal: 2_000, MemFree: 100, MemAvailable: 100, Cached: 1_500, SReclaimable: 100 });
  expect(memoryUse(info, null, true)?.unavailableBytes).toBe(300 * KIB);
});

test.each(['', 'MemTotal: 0 kB\nMemFree: 0 kB', 'MemTotal: lots', '<html>'])('%j is no meminfo', (text) => {
  expect(memoryUse(parseMeminfo(text), null, false)).toBeNull();
});
