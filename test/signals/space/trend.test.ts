import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sample } from '../../../signals/history.ts';
import { growthOf, LONGEST_PAUSE_MS, spanOf, stretchOf } from '../../../signals/space/trend.ts';
import { HOUR_MS, MINUTE_MS } from '../../support/signal-story.ts';

const NOW = 10_000 * HOUR_MS;

/** From `hours` ago until now, every `stepMs`. */
const series = (hours: number, stepMs: number, valueAt: (hoursAgo: number) => number): readonly Sample[] => {
  const samples: Sample[] = [];
  for (let ago = hours * HOUR_MS; ago >= 0; ago -= stepMs) {
    samples.push({ atMs: NOW - ago, value: valueAt(ago / HOUR_MS), windowMs: 0 });
  }
  return samples;
};

const perHour = (samples: readonly Sample[], least = 0): number | null =>
  growthOf(samples, NOW, least)?.bytesPerHour ?? null;

describe('the stretch without a pause', () => {
  test('ends at the pause', () => {
    const samples = [...series(40, HOUR_MS, () => 1)].filter(
      ({ atMs }) => NOW - atMs > 30 * HOUR_MS || NOW - atMs < 20 * HOUR_MS,
    );
    expect(spanOf(stretchOf(samples, 0, NOW), NOW)).toBe(19 * HOUR_MS);
  });

  test('ends where it is told to', () => {
    const samples = series(40, HOUR_MS, () => 1);
    expect(spanOf(stretchOf(samples, NOW - 10 * HOUR_MS, NOW), NOW)).toBe(10 * HOUR_MS);
  });

  test('is nothing when the latest sample is too old', () => {
    expect(stretchOf([{ atMs: NOW - LONGEST_PAUSE_MS - 1, value: 1, windowMs: 0 }], 0, NOW)).toEqual([]);
    expect(stretchOf([], 0, NOW)).toEqual([]);
  });

  test('holds where patrols alone come every six hours', () => {
    expect(
      spanOf(
        stretchOf(
          series(30, 6 * HOUR_MS, () => 1),
          0,
          NOW,
        ),
        NOW,
      ),
    ).toBe(30 * HOUR_MS);
  });
});

describe('growth', () => {
  test('is the slope of what grows evenly', () => {
    expect(perHour(series(24, 5 * MINUTE_MS, (ago) => 1_000 - 10 * ago))).toBeCloseTo(10, 6);
  });

  test.each([5, 30, 60, 120, 180, 240, 360])('is seen as well where samples come every %d minutes', (minutes) => {
    for (const hours of [24, 30, 48, 60, 84, 200])
      expect(perHour(series(hours, minutes * MINUTE_MS, (ago) => 1_000 - 2 * ago))).toBeCloseTo(2, 6);
  });

  test('is not swayed by outliers', () => {
    const samples = series(24, 5 * MINUTE_MS, (ago) => 1_000 - 10 * ago).map((sample, index) =>
      index % 9 === 4 ? { ...sample, value: 90_000 } : sample,
    );
    expect(perHour(samples)).toBeGreaterThan(7);
    expect(perHour(samples)).toBeLessThan(13);
  });

  test('is nothing where it shrinks, stands still, or is slower than what matters', () => {
    expect(perHour(series(24, HOUR_MS, (ago) => 1_000 + 10 * ago))).toBeNull();
    expect(perHour(series(24, HOUR_MS, () => 1_000))).toBeNull();
    expect(
      perHour(
        series(24, HOUR_MS, (ago) => 1_000 - ago),
        2,
      ),
    ).toBeNull();
  });

  test('is nothing after a single jump, wherever in the day it came', () => {
    for (let jumpAgo = 0.25; jumpAgo < 24; jumpAgo += 0.25) {
      expect(perHour(series(24, 5 * MINUTE_MS, (ago) => (ago <= jumpAgo ? 1_500 : 1_000)))).toBeNull();
    }
  });

  test('is found in what grows by a step every night, whatever the hour of the look', () => {
    for (let hour = 0; hour < 24; hour += 1) {
      const found = perHour(series(84, HOUR_MS, (ago) => 1_000 - 24 * Math.ceil((ago + hour) / 24)));
      expect(found).toBeGreaterThan(0.5);
      expect(found).toBeLessThan(1.5);
    }
  });

  test('is nothing in what rises and falls each day', () => {
    for (let hour = 0; hour < 24; hour += 1) {
      const found = perHour(
        series(84, HOUR_MS, (ago) => 1_000 + 100 * Math.sin(((ago + hour) / 24) * 2 * Math.PI)),
        0.5,
      );
      expect(found).toBeNull();
    }
  });

  test('of noise around a level is small', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 300, maxLength: 300 }), (noise) => {
        const samples = series(24, 5 * MINUTE_MS, () => 1_000).map((sample, index) => ({
          ...sample,
          value: sample.value + (noise[index] ?? 0),
        }));
        expect(perHour(samples) ?? 0).toBeLessThan(5);
      }),
      { numRuns: 200 },
    );
  });

  test('is nothing with one sample or none', () => {
    expect(perHour([])).toBeNull();
    expect(perHour([{ atMs: NOW, value: 1, windowMs: 0 }])).toBeNull();
  });
});
