import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { asResourceId } from '../../signals/resource.ts';
import {
  COARSE_SAMPLES_MS,
  COUNTER_SAMPLES_MS,
  createSampleStore,
  FINE_SAMPLES_MS,
  type NewSample,
} from '../../src/evidence/sample-store.ts';
import { openDatabase } from '../../src/runtime/database.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 5, 1, 12);
const srv = asResourceId('nas/filesystem/srv');

const open = () => {
  const db = openDatabase({ path: join(temporaryDirectory(), 'samples.db') });
  onTestFinished(() => db.close());
  return createSampleStore(db);
};

const sample = (atMs: number, more: Partial<NewSample> = {}): NewSample => ({
  resourceId: srv,
  metric: 'space.usedBytes',
  value: atMs,
  windowMs: 0,
  keep: 'every',
  atMs,
  ...more,
});

test('samples come back oldest first, of one resource and metric, since when they are asked for', () => {
  const store = open();
  store.write([
    sample(3_000),
    sample(1_000),
    sample(2_000, { value: 7, windowMs: 60 }),
    sample(2_500, { metric: 'cpu.busyRatio' }),
    sample(2_500, { resourceId: asResourceId('other') }),
  ]);
  expect(store.of(srv, 'space.usedBytes', 2_000)).toEqual([
    { atMs: 2_000, value: 7, windowMs: 60 },
    { atMs: 3_000, value: 3_000, windowMs: 0 },
  ]);
});

test('the same instant twice is one sample: the first', () => {
  const store = open();
  store.write([sample(1_000, { value: 1 })]);
  store.write([sample(1_000, { value: 2 })]);
  expect(store.of(srv, 'space.usedBytes', 0).map(({ value }) => value)).toEqual([1]);
});

test('a counter is kept where it changes, and once a day while it stands still', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 120 }), (values) => {
      const store = open();
      const written = values.map((value, index) => ({ atMs: index * HOUR_MS, value }));
      for (const { atMs, value } of written) store.write([sample(atMs, { metric: 'smart.5', keep: 'change', value })]);
      const kept = store.of(srv, 'smart.5', 0);
      // At every instant the newest kept sample has the value that was read then, and is less than a day old.
      for (const { atMs, value } of written) {
        const newest = kept.findLast((one) => one.atMs <= atMs);
        expect(newest?.value).toBe(value);
        expect(atMs - (newest?.atMs ?? 0)).toBeLessThan(DAY_MS);
      }
      for (const [index, one] of kept.entries()) {
        const before = kept[index - 1];
        if (before !== undefined && before.value === one.value) expect(one.atMs - before.atMs).toBe(DAY_MS);
      }
    }),
    { numRuns: 8 },
  );
});

test('space is kept in full for a day and by the hour for a fortnight', () => {
  const store = open();
  const every = 5 * 60_000;
  const looks = (20 * DAY_MS) / every;
  store.write(Array.from({ length: looks + 1 }, (_, look) => sample(NOW_MS - look * every)).toReversed());
  store.prune(NOW_MS);
  const kept = store.of(srv, 'space.usedBytes', 0).map(({ atMs }) => atMs);
  expect(kept[0]).toBe(NOW_MS - COARSE_SAMPLES_MS);
  const fine = kept.filter((atMs) => atMs >= NOW_MS - FINE_SAMPLES_MS);
  expect(fine).toHaveLength(FINE_SAMPLES_MS / every + 1);
  const coarse = kept.filter((atMs) => atMs < NOW_MS - FINE_SAMPLES_MS);
  expect(coarse).toHaveLength((COARSE_SAMPLES_MS - FINE_SAMPLES_MS) / HOUR_MS);
  expect(coarse.every((atMs) => atMs % HOUR_MS === 0)).toBe(true);
  expect(store.prune(NOW_MS)).toBe(0);
});

test('use is kept for as long as windows look back, counters for more than a year', () => {
  const store = open();
  store.write([
    sample(NOW_MS - FINE_SAMPLES_MS - 1, { metric: 'cpu.busyRatio' }),
    sample(NOW_MS - FINE_SAMPLES_MS, { metric: 'cpu.busyRatio' }),
    sample(NOW_MS - COUNTER_SAMPLES_MS - 1, { metric: 'smart.5', keep: 'change', value: 1 }),
    sample(NOW_MS - COUNTER_SAMPLES_MS, { metric: 'smart.5', keep: 'change', value: 2 }),
  ]);
  expect(store.prune(NOW_MS)).toBe(2);
  expect(store.of(srv, 'cpu.busyRatio', 0)).toHaveLength(1);
  expect(store.of(srv, 'smart.5', 0).map(({ value }) => value)).toEqual([2]);
});

test('under a merge the past of the id that goes becomes that of the one that stays', () => {
  const store = open();
  const old = asResourceId('old');
  store.write([
    sample(1_000, { resourceId: old, value: 1 }),
    sample(2_000, { resourceId: old, value: 2 }),
    sample(2_000, { value: 3 }),
  ]);
  store.rename(old, srv);
  expect(store.of(srv, 'space.usedBytes', 0).map(({ value }) => value)).toEqual([1, 3]);
  expect(store.of(old, 'space.usedBytes', 0)).toEqual([]);
});
