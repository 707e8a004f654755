import { describe, expect, test } from 'vitest';
import { serviceFailed } from '../../../signals/detectors/service-failed.ts';
import { tell } from '../../support/readings.ts';
import {
  HOUR_MS,
  MINUTE_MS,
  resourceOf,
  SECOND_MS,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const unit = resourceOf('service', { name: 'nginx.service', expects: ['unit'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: serviceFailed, resource: unit, settings: settingsOf('service', 'failed', settings) });

const failed = (stateSinceMs: number | null = null, result: string | null = 'exit-code') => [
  tell('unit', { activeState: 'failed', subState: 'failed', result, stateSinceMs }),
];
const inState = (activeState: 'active' | 'inactive' | 'activating' | 'deactivating' | 'reloading' | 'maintenance') => [
  tell('unit', { activeState, subState: activeState }),
];

describe('a state', () => {
  test.each([
    ['active', inState('active'), 'clear'],
    ['stopped by somebody', inState('inactive'), 'clear'],
    ['being started', inState('activating'), 'clear'],
    ['being reloaded', inState('reloading'), 'clear'],
    ['under maintenance', inState('maintenance'), 'clear'],
    ['failed for five minutes', failed(START_MS - 5 * MINUTE_MS), 'raised:warning'],
    ['failed for a second less', failed(START_MS - 5 * MINUTE_MS + SECOND_MS), 'unobserved:confirming'],
    ['failed since nobody knows when', failed(), 'unobserved:confirming'],
  ])('%s', (_, readings, state) => {
    expect(story().look(readings).states).toEqual({ '': state });
  });

  test('that could not be read is unobserved, with the reason', () => {
    const look = story().look([], {
      gaps: [{ sourceId: 'host', reads: ['unit'], code: 'not_permitted', reason: 'no bus' }],
    });
    expect(look.verdict).toMatchObject({ state: 'unobserved', code: 'not_permitted', reason: 'no bus' });
  });

  test('is told with its result, for how long, and what clears it', () => {
    const signal = signalOf(story().look(failed(START_MS - HOUR_MS, 'oom-kill')));
    expect(signal.summary).toBe('failed for 60 min: it was killed for lack of memory; limit 5 min (default)');
    expect(signal).toMatchObject({ sinceMs: START_MS - HOUR_MS, details: { result: 'oom-kill' } });
    expect(signalOf(story().look(failed(START_MS - HOUR_MS, null))).summary).toBe(
      'failed for 60 min; limit 5 min (default)',
    );
    expect(signalOf(story().look(failed(START_MS - HOUR_MS, 'odd'))).summary).toContain('result odd');
  });
});

describe('a failure', () => {
  test('whose beginning nobody tells counts from the first look', () => {
    const one = story();
    expect(one.look(failed()).states).toEqual({ '': 'unobserved:confirming' });
    expect(
      one
        .restart()
        .wait(5 * MINUTE_MS)
        .look(failed()).states,
    ).toEqual({ '': 'raised:warning' });
  });

  test('stays while it is being started again, and clears when that worked', () => {
    const one = story();
    one.look(failed(START_MS - HOUR_MS));
    expect(one.wait(MINUTE_MS).look(inState('activating')).states).toEqual({ '': 'unobserved:confirming' });
    expect(one.memory()?.severity).toBe('warning');
    expect(one.wait(MINUTE_MS).look(failed(one.nowMs)).states).toEqual({ '': 'raised:warning' });
    expect(one.wait(MINUTE_MS).look(inState('active')).states).toEqual({ '': 'clear' });
    expect(one.memory()).toBeNull();
  });

  test('of a unit that runs once and ends well the next time clears', () => {
    const one = story();
    one.look(failed(START_MS - HOUR_MS));
    expect(one.wait(HOUR_MS).look(inState('inactive')).states).toEqual({ '': 'clear' });
  });

  test('that was repaired in between and came back is a new streak', () => {
    const one = story();
    one.look(failed(START_MS - MINUTE_MS));
    one.wait(10 * MINUTE_MS);
    expect(one.look(failed(one.nowMs - MINUTE_MS)).states).toEqual({ '': 'unobserved:confirming' });
  });

  test('counts as soon as the operator says', () => {
    expect(story({ forMs: 0 }).look(failed()).states).toEqual({ '': 'raised:warning' });
    expect(story({ off: true }).look(failed()).skipped).toMatchObject([{ code: 'switched_off' }]);
  });
});
