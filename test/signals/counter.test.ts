import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CountKind, riseOf } from '../../signals/counter.ts';
import type { Sample } from '../../signals/history.ts';
import { DAY_MS } from '../support/signal-story.ts';

const NOW = 1_000 * DAY_MS;

const samplesOf = (values: readonly (readonly [daysAgo: number, value: number])[]): readonly Sample[] =>
  values.map(([daysAgo, value]) => ({ atMs: NOW - daysAgo * DAY_MS, value, windowMs: 0 }));

const rise = (kind: CountKind, values: readonly (readonly [number, number])[], count: number) =>
  riseOf({ kind, count, takenAtMs: NOW, samples: samplesOf(values), withinMs: 7 * DAY_MS });

describe('a counter', () => {
  test.each([
    ['at the first look', [], 500, 0, null],
    [
      'that stands still',
      [
        [30, 500],
        [1, 500],
      ],
      500,
      0,
      null,
    ],
    [
      'that rose long ago',
      [
        [400, 0],
        [300, 500],
        [8, 500],
      ],
      500,
      0,
      null,
    ],
    [
      'that rose lately',
      [
        [400, 0],
        [3, 5],
      ],
      5,
      5,
      3,
    ],
    ['that rises now', [[3, 5]], 6, 1, 0],
    [
      'that rose twice',
      [
        [6, 1],
        [4, 3],
        [2, 3],
      ],
      10,
      9,
      0,
    ],
    ['that was reset', [[3, 500]], 2, 2, 0],
    ['that was reset to nothing', [[3, 500]], 0, 0, null],
    [
      'that was reset and rose before and after',
      [
        [6, 500],
        [4, 510],
        [2, 1],
      ],
      3,
      13,
      0,
    ],
    ['whose rise was noticed after a long pause', [[200, 5]], 6, 1, 0],
  ] as const)('%s', (_, values, count, by, daysAgo) => {
    expect(rise('counter', values, count)).toEqual({ by, lastAtMs: daysAgo === null ? null : NOW - daysAgo * DAY_MS });
  });
});

describe('a gauge', () => {
  test.each([
    ['that falls', [[3, 8]], 3, 0],
    [
      'that falls and rises again',
      [
        [5, 8],
        [3, 3],
      ],
      4,
      1,
    ],
    ['that appears', [[3, 0]], 5, 0],
    [
      'that appears and then rises',
      [
        [5, 0],
        [3, 2],
      ],
      5,
      3,
    ],
  ] as const)('%s', (_, values, count, by) => {
    expect(rise('gauge', values, count).by).toBe(by);
  });
});

test('the present value among the samples changes nothing', () => {
  const values = [[3, 5]] as const;
  expect(rise('counter', [...values, [0, 6]], 6)).toEqual(rise('counter', values, 6));
});

test('a higher count never has a smaller rise, while nothing was reset', () => {
  const counts = fc
    .array(fc.nat(50), { maxLength: 10 })
    .map((steps) => steps.map((_, index) => steps.slice(0, index + 1).reduce((a, b) => a + b, 0)));
  fc.assert(
    fc.property(counts, fc.nat(100), fc.nat(100), (values, a, b) => {
      const samples = values.map((value, index) => [values.length - index, value] as const);
      const last = values.at(-1) ?? 0;
      const [less, more] = [last + Math.min(a, b), last + Math.max(a, b)];
      for (const kind of ['counter', 'gauge'] as const) {
        expect(rise(kind, samples, more).by).toBeGreaterThanOrEqual(rise(kind, samples, less).by);
      }
    }),
  );
});
