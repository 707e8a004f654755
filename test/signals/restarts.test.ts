import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Count, knownCounts, restartingSinceMs, restartsWithin } from '../../signals/restarts.ts';

const MINUTE_MS = 60_000;
const NOW_MS = 1_000 * MINUTE_MS;

/** `[minutes ago, value]` */
type Point = readonly [minutesAgo: number, value: number];

/** Oldest first. */
const counts = (...points: readonly Point[]): readonly Count[] =>
  points.map(([minutesAgo, value]) => ({ atMs: NOW_MS - minutesAgo * MINUTE_MS, value }));

const within = (minutes: number, ...points: readonly Point[]): number | null =>
  restartsWithin(counts(...points), minutes * MINUTE_MS, NOW_MS);

describe('restarts in a window', () => {
  test.each([
    ['a single look is the baseline', within(10, [0, 7]), null],
    ['what came within the window', within(10, [10, 0], [5, 2], [0, 3]), 3],
    ['what came before it does not count', within(10, [30, 0], [20, 9], [10, 9], [0, 9]), 0],
    ['a share of what may have come before it', within(10, [20, 0], [0, 8]), 4],
    ['after a reset, what came since', within(10, [10, 50], [5, 1], [0, 2]), 2],
    ['what lies wholly before the window tells nothing of it', within(10, [60, 0], [50, 9]), null],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });

  test('never hold fewer when the counter has grown more', () => {
    const grown = fc.array(fc.nat({ max: 9 }), { minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(grown, fc.nat({ max: 9 }), (steps, more) => {
        let value = 0;
        const points = steps.map((step, index): readonly [number, number] => {
          value += step;
          return [(steps.length - 1 - index) * 4, value];
        });
        const raised = points.map(([ago, count]): readonly [number, number] => [ago, ago === 0 ? count + more : count]);
        expect(within(10, ...raised)).toBeGreaterThanOrEqual(within(10, ...points) ?? 0);
      }),
    );
  });
});

describe('what is known of a counter', () => {
  const base = { count: 5, takenAtMs: NOW_MS, lastLookAtMs: null, bornAtMs: null };
  const sample = (minutesAgo: number, value: number) => ({ atMs: NOW_MS - minutesAgo * MINUTE_MS, value, windowMs: 0 });

  test('begins where it stood at 0, if that is before the first sample', () => {
    expect(knownCounts({ ...base, samples: [sample(5, 3)], bornAtMs: NOW_MS - 60 * MINUTE_MS })).toEqual(
      counts([60, 0], [5, 3], [0, 5]),
    );
    expect(knownCounts({ ...base, samples: [sample(5, 3)], bornAtMs: NOW_MS - MINUTE_MS })).toEqual(
      counts([5, 3], [0, 5]),
    );
  });

  test('holds its last sample until the last look, since a change would have been kept', () => {
    expect(knownCounts({ ...base, samples: [sample(600, 3)], lastLookAtMs: NOW_MS - 5 * MINUTE_MS })).toEqual(
      counts([600, 3], [5, 3], [0, 5]),
    );
    expect(knownCounts({ ...base, samples: [], lastLookAtMs: NOW_MS - 5 * MINUTE_MS })).toEqual(counts([0, 5]));
  });

  test('holds the present value once', () => {
    expect(knownCounts({ ...base, samples: [sample(5, 3), sample(0, 5)] })).toEqual(counts([5, 3], [0, 5]));
  });
});

describe('the beginning of a row of restarts', () => {
  const since = (...points: readonly Point[]): number | null => {
    const atMs = restartingSinceMs(counts(...points), 30 * MINUTE_MS);
    return atMs === null ? null : (NOW_MS - atMs) / MINUTE_MS;
  };
  test.each([
    ['none without restarts', since([20, 5], [10, 5], [0, 5]), null],
    ['none after a long pause', since([60, 0], [40, 5], [0, 5]), null],
    ['the look before the first restart', since([20, 5], [10, 5], [5, 6], [0, 7]), 10],
    ['after the last long pause', since([200, 0], [190, 9], [100, 9], [10, 10], [0, 11]), 10],
    ['the start of a long stretch that was filled with them', since([600, 0], [0, 60]), 600],
    ['no earlier than seen where a long stretch may have been empty', since([6000, 0], [0, 5]), 0],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });
});
