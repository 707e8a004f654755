import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contiguousTail, heldSinceMs } from '../../../src/sources/prometheus/trailing-run.ts';

const points = (...pairs: readonly (readonly [number, number])[]) => pairs.map(([atMs, value]) => ({ atMs, value }));

describe('the newest stretch without a hole', () => {
  it.each([
    ['nothing', [], []],
    ['all of it', [0, 10, 20], [0, 10, 20]],
    ['over one missing step', [0, 10, 30], [0, 10, 30]],
    ['after a hole', [0, 10, 40, 50], [40, 50]],
    ['after the last of two holes', [0, 40, 80], [80]],
  ])('is %s', (_title, at, expected) => {
    expect(contiguousTail(points(...at.map((atMs) => [atMs, 1] as const)), 10).map(({ atMs }) => atMs)).toEqual(
      expected,
    );
  });

  it('is a tail, and has no hole', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1_000)), (at) => {
        const all = points(...at.toSorted((a, b) => a - b).map((atMs) => [atMs, 0] as const));
        const tail = contiguousTail(all, 10);
        expect(all.slice(all.length - tail.length)).toEqual(tail);
        for (const [index, { atMs }] of tail.entries())
          expect(atMs - (tail[index - 1]?.atMs ?? atMs)).toBeLessThanOrEqual(25);
      }),
    );
  });
});

describe('since when a series has held its value', () => {
  it.each([
    ['null without points', points(), null],
    ['its first point', points([0, 1], [10, 1]), 0],
    ['its last change', points([0, 1], [10, 0], [20, 0]), 10],
    ['not across a change and back', points([0, 0], [10, 1], [20, 0]), 20],
    ['not across a hole', points([0, 0], [100, 0], [110, 0]), 100],
  ])('is %s', (_title, series, since) => {
    expect(heldSinceMs(series, 10)).toBe(since);
  });
});
