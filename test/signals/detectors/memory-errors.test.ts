import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryErrors } from '../../../signals/detectors/memory-errors.ts';
import { metrics } from '../../../signals/history.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  startStory,
} from '../../support/signal-story.ts';

const host = resourceOf('host', { expects: ['memory_errors'] });
const story = (metric = 'memoryCorrectable', settings: Record<string, unknown> = {}) =>
  startStory({ detector: memoryErrors, resource: host, settings: settingsOf('host', metric, settings) });
const counted = (uncorrectable: number, correctable: number) => [tell('memory_errors', { uncorrectable, correctable })];
const WELL = { uncorrectable: 'clear', correctable: 'clear' };

test.each([
  ['none', 0, 0],
  ['many, from long ago', 12, 4_000],
])('%s at the first look are a baseline', (_, uncorrectable, correctable) => {
  expect(story().look(counted(uncorrectable, correctable)).states).toEqual(WELL);
});

describe('errors that are new', () => {
  test('are critical if uncorrectable, a warning if corrected, and say how many', () => {
    const one = story();
    one.look(counted(1, 100));
    const { states, verdicts } = one.wait(5 * MINUTE_MS).look(counted(2, 103));
    expect(states).toEqual({ uncorrectable: 'raised:critical', correctable: 'raised:warning' });
    expect(verdicts.flatMap((verdict) => (verdict.state === 'raised' ? [verdict.signal] : []))).toMatchObject([
      {
        key: 'memory_errors:uncorrectable',
        summary: '1 new uncorrectable memory error within 7 d, limit 1 (default); 2 counted by now',
        clearsWhen: 'the number of new errors within 7 d is back at 0 or less',
      },
      {
        key: 'memory_errors:correctable',
        summary: '3 new correctable memory errors within 24 h, limit 1 (default); 103 counted by now',
      },
    ]);
  });

  test('clear when they have stood still: a day for corrected ones, a week for the others', () => {
    const one = story();
    one.look(counted(0, 0));
    one.wait(MINUTE_MS).look(counted(1, 1));
    expect(one.wait(23 * HOUR_MS).look(counted(1, 1)).states).toEqual({
      uncorrectable: 'raised:critical',
      correctable: 'raised:warning',
    });
    expect(one.wait(25 * HOUR_MS).look(counted(1, 1)).states).toEqual({
      uncorrectable: 'raised:critical',
      correctable: 'clear',
    });
    expect(one.wait(7 * DAY_MS).look(counted(1, 1)).states).toEqual(WELL);
  });
});

test('counters start again at a reboot: what they show afterwards is new', () => {
  const one = story().past(metrics.memoryCorrectable, [[START_MS - DAY_MS / 2, 4_000]]);
  expect(one.look(counted(0, 0)).states).toEqual(WELL);
  expect(one.wait(MINUTE_MS).look(counted(0, 2)).states['correctable']).toBe('raised:warning');
});

test('a restart of patrold keeps what was raised, and since when', () => {
  const one = story();
  one.look(counted(0, 0));
  one.wait(MINUTE_MS).look(counted(1, 0));
  one.restart().wait(HOUR_MS).look(counted(1, 0));
  expect(one.memory('uncorrectable')).toMatchObject({ severity: 'critical', sinceMs: START_MS + MINUTE_MS });
});

test('a machine without the counters is unobserved with the reason', () => {
  const gaps = [
    { sourceId: 'host', reads: ['memory_errors'], code: 'not_supported', reason: 'no EDAC driver is loaded' },
  ] as const;
  expect(story().look([], { gaps }).states).toEqual({ '': 'unobserved:not_supported' });
});

test('the operator may allow some, or switch one of the two off', () => {
  const one = story('memoryCorrectable', { warning: 50 });
  one.look(counted(0, 0));
  expect(one.wait(MINUTE_MS).look(counted(0, 49)).states['correctable']).toBe('clear');
  expect(one.wait(MINUTE_MS).look(counted(0, 50)).states['correctable']).toBe('raised:warning');
  expect(story('memoryCorrectable', { off: true }).look(counted(0, 9)).states).toEqual({ uncorrectable: 'clear' });
});

test('more new errors never lower the severity', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.nat(20), (a, b) => {
      const rank = (more: number): number => {
        const one = story();
        one.look(counted(5, 5));
        const look = one.wait(MINUTE_MS).look(counted(5 + more, 5 + more));
        return rankOf(look, 'uncorrectable') * 10 + rankOf(look, 'correctable');
      };
      expect(rank(Math.max(a, b))).toBeGreaterThanOrEqual(rank(Math.min(a, b)));
    }),
  );
});
