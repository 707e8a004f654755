import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serviceRestarting } from '../../../signals/detectors/service-restarting.ts';
import { metrics } from '../../../signals/history.ts';
import type { UnitReading } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import {
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const unit = resourceOf('service', { name: 'app.service', expects: ['unit'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: serviceRestarting, resource: unit, settings: settingsOf('service', 'restarts', settings) });

const restarted = (restartCount: number | null, more: Partial<UnitReading> = {}) => [
  tell('unit', { restartCount, ...more }),
];

/** Looks every five minutes at a counter that grows by `perLook` each time. */
const watch = (counts: readonly number[], one = story()) =>
  counts.map((count) => {
    const { states } = one.look(restarted(count), { lastSurveyAtMs: one.nowMs - 5 * MINUTE_MS });
    one.wait(5 * MINUTE_MS);
    return states[''];
  });

describe('the counter', () => {
  test('at the first look is the baseline, however high', () => {
    expect(story().look(restarted(5000)).states).toEqual({ '': 'clear' });
  });

  test('that grows by three in every five minutes raises after a quarter of an hour', () => {
    expect(watch([0, 3, 6, 9, 12])).toEqual([
      'clear',
      'unobserved:confirming',
      'unobserved:confirming',
      'raised:warning',
      'raised:warning',
    ]);
  });

  test('that grows by two never raises', () => {
    expect(watch([0, 2, 4, 6, 8, 10])).toEqual(Array.from({ length: 6 }, () => 'clear'));
  });

  test('that jumps once is an upgrade, not a loop', () => {
    expect(watch([0, 9, 9, 9, 9])).toEqual(['clear', 'unobserved:confirming', 'clear', 'clear', 'clear']);
  });

  test('that fell was reset: what it shows came since', () => {
    expect(watch([100, 0, 3, 6, 9])).toEqual([
      'clear',
      'clear',
      'unobserved:confirming',
      'unobserved:confirming',
      'raised:warning',
    ]);
  });

  test('is spread over the time in which nobody looked', () => {
    const one = story();
    one.look(restarted(0));
    one.wait(24 * 60 * MINUTE_MS);
    expect(one.look(restarted(40), { lastSurveyAtMs: START_MS }).states).toEqual({ '': 'clear' });
  });

  test('with a past that the source keeps raises at the first look', () => {
    const one = story().past(
      metrics.unitRestarts,
      Array.from({ length: 30 }, (_, minute) => [START_MS - (30 - minute) * MINUTE_MS, minute] as const),
    );
    const signal = signalOf(one.look(restarted(30)));
    expect(signal.summary).toBe('restarted 5 times in 5 min, limit 3 (default); for 30 min, limit 15 min (default)');
    expect(signal.level).toMatchObject({ value: 5, unit: 'count', limit: { trigger: 3 } });
  });

  test('of a unit that has run for longer than the window is over', () => {
    const one = story().past(metrics.unitRestarts, [
      [START_MS - 10 * MINUTE_MS, 0],
      [START_MS - 4 * MINUTE_MS, 9],
    ]);
    expect(one.look(restarted(9, { stateSinceMs: START_MS - 6 * MINUTE_MS })).states).toEqual({ '': 'clear' });
  });
});

describe('a loop', () => {
  const looping = () => {
    const one = story();
    watch([0, 3, 6, 9], one);
    return one;
  };

  test('is held while two come in five minutes, and clears at one', () => {
    expect(watch([11, 13, 14, 14], looping())).toEqual(['raised:warning', 'raised:warning', 'clear', 'clear']);
  });

  test('survives a restart of patrold', () => {
    expect(watch([12], looping().restart())).toEqual(['raised:warning']);
  });

  test('that systemd has given up on is a failed unit', () => {
    expect(looping().look(restarted(12, { activeState: 'failed' })).states).toEqual({ '': 'clear' });
  });

  test('that the source no longer counts stays open, until the unit has run for an hour', () => {
    const one = looping();
    expect(one.look(restarted(null)).states).toEqual({ '': 'unobserved:not_supported' });
    one.wait(60 * MINUTE_MS);
    expect(one.look(restarted(null, { activeState: 'activating' })).states).toEqual({ '': 'unobserved:not_supported' });
    expect(one.look(restarted(null)).states).toEqual({ '': 'clear' });
  });
});

test('where the source does not count there is nothing to judge', () => {
  expect(story().look(restarted(null))).toMatchObject({ verdicts: [], skipped: [{ code: 'out_of_scope' }] });
});

test('a limit that the operator wrote is taken as written', () => {
  expect(watch([0, 3, 6, 9, 12], story({ warning: 10 }))).toEqual(Array.from({ length: 5 }, () => 'clear'));
  expect(story({ off: true }).look(restarted(3)).states).toEqual({ '': 'clear' });
});

test('more restarts never lower the severity', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 6 }), { minLength: 4, maxLength: 8 }), fc.nat({ max: 6 }), (steps, more) => {
      const last = (extra: number): number => {
        const one = story();
        let count = 0;
        for (const step of steps) {
          count += step;
          one.look(restarted(count), { lastSurveyAtMs: one.nowMs - 5 * MINUTE_MS });
          one.wait(5 * MINUTE_MS);
        }
        return rankOf(one.look(restarted(count + extra), { lastSurveyAtMs: one.nowMs - 5 * MINUTE_MS }));
      };
      expect(last(more + 1)).toBeGreaterThanOrEqual(last(more));
    }),
    { numRuns: 200 },
  );
});
