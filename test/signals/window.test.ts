import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sample } from '../../signals/history.ts';
import { observedMs } from '../../signals/observed.ts';
import { INSTANT_SPAN_MS, meanOver, sustained, warmingUp } from '../../signals/window.ts';
import { MINUTE_MS } from '../support/signal-story.ts';

const NOW = 10_000_000;

const instant = (agoMs: number, value: number): Sample => ({ atMs: NOW - agoMs, value, windowMs: 0 });
const mean = (agoMs: number, value: number, windowMs: number): Sample => ({ atMs: NOW - agoMs, value, windowMs });

/** Asks at every step of the window who speaks for it: the latest sample that covers it. */
const bruteForce = (samples: readonly Sample[], windowMs: number, stepMs: number) => {
  let weighted = 0;
  let covered = 0;
  for (let at = NOW - windowMs + stepMs / 2; at < NOW; at += stepMs) {
    const speaker = samples.findLast((sample, index) => {
      const before = samples[index - 1];
      const span =
        sample.windowMs > 0
          ? sample.windowMs
          : Math.min(INSTANT_SPAN_MS, before === undefined ? 0 : sample.atMs - before.atMs);
      return sample.atMs > at && sample.atMs - span <= at;
    });
    if (speaker === undefined) continue;
    weighted += speaker.value * stepMs;
    covered += stepMs;
  }
  return covered === 0 ? null : { mean: weighted / covered, observedRatio: covered / windowMs };
};

test('the mean over a window is that of a brute-force integration', () => {
  const STEP = 10_000;
  const sample = fc.record({
    atMs: fc.integer({ min: 0, max: 180 }).map((steps) => NOW - steps * STEP),
    value: fc.double({ min: 0, max: 1, noNaN: true }),
    windowMs: fc.integer({ min: 0, max: 60 }).map((steps) => steps * STEP),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(sample, { selector: ({ atMs }) => atMs, maxLength: 25 }),
      fc.integer({ min: 1, max: 120 }),
      (unsorted, steps) => {
        const samples = unsorted.toSorted((a, b) => a.atMs - b.atMs);
        const windowMs = steps * STEP;
        const expected = bruteForce(samples, windowMs, STEP);
        const actual = meanOver(samples, windowMs, NOW);
        if (expected === null) expect(actual).toBeNull();
        else {
          expect(actual?.mean).toBeCloseTo(expected.mean, 9);
          expect(actual?.observedRatio).toBeCloseTo(expected.observedRatio, 9);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

describe('instants', () => {
  test('speak for the time since the sample before them', () => {
    const samples = [instant(600_000, 0), instant(300_000, 1), instant(0, 0.5)];
    expect(meanOver(samples, 600_000, NOW)).toEqual({ mean: 0.75, observedRatio: 1 });
  });

  test('do not speak for a long silence', () => {
    const samples = [instant(10 * 3_600_000, 0), instant(0, 1)];
    expect(meanOver(samples, 3_600_000, NOW)).toEqual({ mean: 1, observedRatio: INSTANT_SPAN_MS / 3_600_000 });
  });

  test('a single one speaks for nothing', () => {
    expect(meanOver([instant(0, 1)], 600_000, NOW)).toBeNull();
  });
});

test('where two windows overlap the later one counts, so that nothing counts twice', () => {
  const samples = [mean(300_000, 1, 600_000), mean(0, 0, 600_000)];
  expect(meanOver(samples, 900_000, NOW)).toEqual({ mean: 1 / 3, observedRatio: 1 });
});

test('samples after now, and before the window, do not count', () => {
  const samples = [mean(900_000, 1, 300_000), mean(0, 0.5, 600_000), mean(-300_000, 1, 300_000)];
  expect(meanOver(samples, 600_000, NOW)).toEqual({ mean: 0.5, observedRatio: 1 });
});

describe('sustained', () => {
  const reading = (windowMs: number, observedRatio = 1) => ({ takenAtMs: NOW, windowMs, observedRatio });

  test('takes the reading’s own window where that is long enough', () => {
    expect(sustained(reading(900_000, 0.4), 0.9, [], 900_000)).toEqual({ mean: 0.9, observedRatio: 0.4 });
  });

  test('takes the value as it is where no time is asked for', () => {
    expect(sustained(reading(0), 0.9, [], 0)).toEqual({ mean: 0.9, observedRatio: 1 });
  });

  test('joins the reading to the remembered samples, whether or not it is among them already', () => {
    const past = [mean(600_000, 0.2, 300_000), mean(300_000, 0.5, 300_000)];
    const expected = { mean: 0.5, observedRatio: 1 };
    for (const samples of [past, [...past, mean(0, 0.8, 300_000)]]) {
      const actual = sustained(reading(300_000), 0.8, samples, 900_000);
      expect(actual?.mean).toBeCloseTo(expected.mean, 9);
      expect(actual?.observedRatio).toBe(1);
    }
  });

  test('a reading that saw only part of its window stands for that part', () => {
    const actual = sustained(reading(900_000, 0.1), 0.9, [], 1_000_000);
    expect(actual?.observedRatio).toBeCloseTo(0.09, 9);
    expect(observedMs(reading(900_000, 0.1))).toBe(90_000);
    expect(observedMs(reading(900_000, 0))).toBe(1);
    expect(observedMs(reading(0, 1))).toBe(0);
    expect(observedMs(reading(900_000, 7))).toBe(900_000);
  });

  test('of nothing is null', () => {
    expect(sustained(reading(0), 0.9, [], 900_000)).toBeNull();
  });
});

test('a window that fills is asked about again in time for the instants between, and not at once', () => {
  const at = (ratio: number, forMs: number) => {
    const judgement = warmingUp(ratio, forMs, NOW);
    return judgement.state === 'unobserved' ? (judgement.retryAtMs ?? 0) - NOW : null;
  };
  expect(at(0, 15 * MINUTE_MS)).toBe(INSTANT_SPAN_MS);
  expect(at(0.7, 15 * MINUTE_MS)).toBeCloseTo(270_000, 3);
  expect(at(0.79, MINUTE_MS)).toBe(MINUTE_MS);
});
