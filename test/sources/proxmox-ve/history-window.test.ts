import { expect, it } from 'vitest';
import { type RrdPoint, timeframeFor, windowMean } from '../../../src/sources/proxmox-ve/history-window.ts';
import { nodeMemoryBytes } from '../../../src/sources/proxmox-ve/node-memory.ts';

const MINUTE_MS = 60_000;
const points = (values: readonly (number | undefined)[]): readonly RrdPoint[] =>
  values.map((cpu, index) => ({ time: 1_773_144_000 + 60 * index, ...(cpu === undefined ? {} : { cpu }) }));

it('averages the window that ends at the newest point', () => {
  const values = [...Array.from({ length: 55 }, () => 0.1), ...Array.from({ length: 15 }, () => 0.9)];
  expect(windowMean(points(values), 15 * MINUTE_MS, ({ cpu }) => cpu)).toMatchObject({
    mean: expect.closeTo(0.9),
    observedRatio: 1,
  });
});

it('takes a missing value for missing data, not for zero', () => {
  const values = Array.from({ length: 15 }, (_each, index) => (index % 3 === 0 ? undefined : 0.6));
  expect(windowMean(points(values), 15 * MINUTE_MS, ({ cpu }) => cpu)).toMatchObject({
    mean: expect.closeTo(0.6),
    observedRatio: expect.closeTo(10 / 15),
  });
  expect(windowMean(points([undefined, undefined]), MINUTE_MS, ({ cpu }) => cpu)).toBeNull();
  expect(windowMean([], MINUTE_MS, ({ cpu }) => cpu)).toBeNull();
});

it('asks for the hour where that holds the window, else for the day', () => {
  expect([timeframeFor(15 * MINUTE_MS), timeframeFor(120 * MINUTE_MS)]).toEqual(['hour', 'day']);
});

it('counts of the cache of ZFS only what it would keep', () => {
  const base = { time: 0, memtotal: 64e9, memused: 50e9 };
  expect(nodeMemoryBytes(base)).toEqual({ unavailableBytes: 50e9, reclaimableArcBytes: undefined });
  expect(nodeMemoryBytes({ ...base, memavailable: 14e9, arcsize: 32e9 })).toEqual({
    unavailableBytes: 20e9,
    reclaimableArcBytes: 30e9,
  });
  expect(nodeMemoryBytes({ time: 0 })).toBeUndefined();
});
