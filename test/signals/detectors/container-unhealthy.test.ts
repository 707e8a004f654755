import { describe, expect, test } from 'vitest';
import { containerUnhealthy } from '../../../signals/detectors/container-unhealthy.ts';
import type { ContainerReading } from '../../../signals/reading.ts';
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

const container = resourceOf('container', { name: 'web', expects: ['container'] });
const story = (settings: Record<string, unknown> = {}, resource = container) =>
  startStory({ detector: containerUnhealthy, resource, settings: settingsOf('container', 'unhealthy', settings) });

const withHealth = (health: ContainerReading['health'], more: Partial<ContainerReading> = {}) => [
  tell('container', { health, ...more }),
];
const unhealthy = (unhealthySinceMs: number | null) => withHealth('unhealthy', { unhealthySinceMs });

test.each([
  ['healthy', withHealth('healthy'), { '': 'clear' }],
  ['just started', withHealth('starting'), { '': 'clear' }],
  ['unhealthy for five minutes', unhealthy(START_MS - 5 * MINUTE_MS), { '': 'raised:warning' }],
  ['unhealthy for a second less', unhealthy(START_MS - 5 * MINUTE_MS + SECOND_MS), { '': 'unobserved:confirming' }],
  ['unhealthy, nobody knows since when', unhealthy(null), { '': 'unobserved:confirming' }],
  ['without a health check', withHealth('none'), {}],
  ['waiting for a restart', withHealth('unhealthy', { state: 'restarting' }), {}],
])('a container that is %s', (_, readings, states) => {
  expect(story().look(readings).states).toEqual(states);
});

test.each(['stopped', 'paused'] as const)('a container that is %s is not judged', (status) => {
  const look = story({}, { ...container, status }).look(unhealthy(START_MS - HOUR_MS));
  expect(look).toMatchObject({ verdicts: [], skipped: [{ code: 'out_of_scope', reason: `it is ${status}` }] });
});

test('the finding quotes the check, and says since when', () => {
  const readings = withHealth('unhealthy', { unhealthySinceMs: START_MS - HOUR_MS, lastProbeOutput: 'status 503' });
  expect(signalOf(story().look(readings))).toMatchObject({
    summary: 'unhealthy for 60 min, limit 5 min (default); the check said: status 503',
    sinceMs: START_MS - HOUR_MS,
  });
});

describe('an unhealthy container', () => {
  const raised = () => {
    const one = story();
    one.look(unhealthy(START_MS - HOUR_MS));
    return one;
  };

  test('is neither well nor unwell until its check has answered after a restart', () => {
    const one = raised();
    expect(one.wait(MINUTE_MS).look(withHealth('starting')).states).toEqual({ '': 'unobserved:confirming' });
    expect(one.memory()?.severity).toBe('warning');
    expect(
      one
        .restart()
        .wait(MINUTE_MS)
        .look(withHealth('unhealthy', { unhealthySinceMs: one.nowMs })).states,
    ).toEqual({
      '': 'raised:warning',
    });
    expect(one.wait(MINUTE_MS).look(withHealth('healthy')).states).toEqual({ '': 'clear' });
  });

  test('that is made anew without a health check is absent', () => {
    expect(raised().wait(MINUTE_MS).look(withHealth('none')).absent).toMatchObject([{ subject: '' }]);
  });

  test('whose engine could not be asked stays open', () => {
    const gaps = [{ sourceId: 'host', reads: [], code: 'timed_out' as const, reason: 'slow' }];
    expect(raised().wait(MINUTE_MS).look([], { gaps }).states).toEqual({ '': 'unobserved:timed_out' });
  });
});

test('a streak that was interrupted begins anew', () => {
  const one = story();
  one.look(unhealthy(START_MS - 4 * MINUTE_MS));
  one.wait(MINUTE_MS).look(withHealth('healthy'));
  one.wait(MINUTE_MS);
  expect(one.look(unhealthy(one.nowMs - SECOND_MS)).states).toEqual({ '': 'unobserved:confirming' });
});
