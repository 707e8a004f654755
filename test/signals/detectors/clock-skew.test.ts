import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockSkew } from '../../../signals/detectors/clock-skew.ts';
import { metrics } from '../../../signals/history.ts';
import { tell } from '../../support/readings.ts';
import {
  HOUR_MS,
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const host = resourceOf('host', { expects: ['clock'] });
const story = (metric = 'clockOffset', settings: Record<string, unknown> = {}) =>
  startStory({ detector: clockSkew, resource: host, settings: settingsOf('host', metric, settings) });
const off = (offsetMs: number | null, more = {}) => [tell('clock', { offsetMs, ...more })];
const free = (estimatedErrorMs: number | null, more = {}) =>
  off(null, { synchronised: false, estimatedErrorMs, ...more });

describe('an offset', () => {
  test.each([
    [0, 'clear'],
    [49.9, 'clear'],
    [-49.9, 'clear'],
    [50, 'raised:warning'],
    [-50, 'raised:warning'],
    [499, 'raised:warning'],
    [500, 'raised:critical'],
    [-7_200_000, 'raised:critical'],
  ])('of %d ms in two looks is %s', (offsetMs, state) => {
    const one = story();
    const first = one.look(off(offsetMs)).states[''];
    expect(first).toBe(state === 'clear' ? 'clear' : 'unobserved:confirming');
    expect(one.wait(5 * MINUTE_MS).look(off(offsetMs)).states).toEqual({ '': state });
  });

  test('is told with its limit and what clears it', () => {
    const one = story();
    one.look(off(-120));
    expect(signalOf(one.wait(MINUTE_MS).look(off(-120)))).toMatchObject({
      key: 'clock_skew',
      summary: 'the clock is off by 120 ms, limit 50 ms (default)',
      clearsWhen: 'the offset is back at 40 ms or less',
      level: { value: 120, unit: 'ms' },
      sinceMs: START_MS,
    });
  });

  test('that shrinks is being corrected: no warning, but critical all the same', () => {
    const shrinking = story().past(metrics.clockOffset, [[START_MS - 5 * MINUTE_MS, 200]]);
    expect(shrinking.look(off(150)).states).toEqual({ '': 'clear' });
    const standing = story().past(metrics.clockOffset, [[START_MS - 5 * MINUTE_MS, 200]]);
    expect(standing.look(off(195)).states).toEqual({ '': 'unobserved:confirming' });
    const far = story().past(metrics.clockOffset, [[START_MS - 5 * MINUTE_MS, 2_000]]);
    expect(far.look(off(1_500)).states).toEqual({ '': 'unobserved:confirming' });
    const longAgo = story().past(metrics.clockOffset, [[START_MS - HOUR_MS, 200]]);
    expect(longAgo.look(off(150)).states).toEqual({ '': 'unobserved:confirming' });
    const raised = story();
    for (const ms of [300, 300, 300, 300, 300]) raised.wait(MINUTE_MS).look(off(ms));
    expect(raised.wait(MINUTE_MS).look(off(200)).states).toEqual({ '': 'raised:warning' });
  });

  test('stays raised inside the band', () => {
    const one = story();
    const said = [60, 60, 60, 59, 45, 45, 41, 39, 45].map((ms) => one.wait(MINUTE_MS).look(off(ms)).states['']);
    expect(said.slice(1)).toEqual([...Array.from({ length: 6 }, () => 'raised:warning'), 'clear', 'clear']);
  });

  test('told in whole seconds counts above three', () => {
    const coarse = { resolutionMs: 1_000 };
    const said = (ms: number): string | undefined => {
      const one = story();
      one.look(off(ms, coarse));
      return one.wait(MINUTE_MS).look(off(ms, coarse)).states[''];
    };
    expect([said(2_000), said(2_999), said(3_000), said(90_000)]).toEqual([
      'clear',
      'clear',
      'raised:warning',
      'raised:warning',
    ]);
  });
});

describe('a clock that nothing corrects', () => {
  test('counts after ten minutes with an estimated error at the kernel’s limit', () => {
    const one = story();
    expect(one.look(free(16_000)).states).toEqual({ '': 'unobserved:confirming' });
    expect(one.wait(9 * MINUTE_MS).look(free(16_000)).states).toEqual({ '': 'unobserved:confirming' });
    expect(signalOf(one.wait(MINUTE_MS).look(free(16_000)))).toMatchObject({
      severity: 'warning',
      summary: 'nothing corrects the clock, and it may be off by 16 s, limit 16 s (default)',
    });
    expect(one.wait(MINUTE_MS).look(off(0)).states).toEqual({ '': 'clear' });
  });

  test('is well while its error is small: time servers may be away for a while', () => {
    expect(story().look(free(800)).states).toEqual({ '': 'clear' });
  });

  test('and far off is critical for being off', () => {
    const one = story();
    const readings = off(900, { synchronised: false, estimatedErrorMs: 16_000 });
    one.look(readings);
    expect(one.wait(MINUTE_MS).look(readings).states).toEqual({ '': 'raised:critical' });
  });
});

describe('a source that tells little', () => {
  test.each([
    ['only that it is synchronised', off(null, { estimatedErrorMs: null }), 'clear'],
    ['only that it is not', free(null), 'unobserved:not_supported'],
    ['nothing at all', off(null, { synchronised: null, estimatedErrorMs: null }), 'unobserved:not_supported'],
    ['only a small offset', off(3, { synchronised: null, estimatedErrorMs: null }), 'clear'],
  ])('%s', (_, readings, state) => {
    expect(story().look(readings).states).toEqual({ '': state });
  });
});

test('a restart neither repeats nor forgets what was about to be confirmed, nor what was raised', () => {
  const one = story();
  one.look(off(300));
  expect(one.restart().wait(MINUTE_MS).look(off(300)).states).toEqual({ '': 'raised:warning' });
  expect(signalOf(one.restart().wait(HOUR_MS).look(off(300)))).toMatchObject({ sinceMs: START_MS });
});

test('the operator may write other limits, or switch each of them off', () => {
  const lax = story('clockOffset', { warning: 1_000 });
  lax.look(off(700));
  expect(lax.wait(MINUTE_MS).look(off(700)).states).toEqual({ '': 'clear' });
  const unsynchronised = story('clockUnsynchronised', { off: true });
  unsynchronised.look(free(16_000));
  expect(unsynchronised.wait(HOUR_MS).look(free(16_000)).states).toEqual({ '': 'clear' });
});

test('a larger offset never lowers the severity', () => {
  const offset = fc.double({ min: 0, max: 1_000, noNaN: true });
  fc.assert(
    fc.property(offset, offset, fc.boolean(), fc.option(offset), (a, b, raisedBefore, earlier) => {
      const rank = (ms: number): number => {
        const one = story();
        if (raisedBefore) {
          one.look(off(900));
          one.wait(MINUTE_MS).look(off(900));
        }
        if (earlier !== null)
          one.wait(10 * MINUTE_MS).past(metrics.clockOffset, [[one.nowMs - 5 * MINUTE_MS, earlier]]);
        one.look(off(ms));
        return rankOf(one.wait(MINUTE_MS).look(off(ms)));
      };
      expect(rank(Math.max(a, b))).toBeGreaterThanOrEqual(rank(Math.min(a, b)));
    }),
  );
});
