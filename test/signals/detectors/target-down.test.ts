import { describe, expect, test } from 'vitest';
import { targetDown } from '../../../signals/detectors/target-down.ts';
import type { TargetReading } from '../../../signals/reading.ts';
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

const endpoint = resourceOf('endpoint', { name: 'node/nas:9100', expects: ['target'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: targetDown, resource: endpoint, settings: settingsOf('endpoint', 'up', settings) });
const down = (downSinceMs: number | null, more: Partial<TargetReading> = {}) => [
  tell('target', { up: false, downSinceMs, ...more }),
];
const up = [tell('target')];

test.each([
  ['up', up, 'clear'],
  ['down for ten minutes', down(START_MS - 10 * MINUTE_MS), 'raised:warning'],
  ['down for a second less', down(START_MS - 10 * MINUTE_MS + SECOND_MS), 'unobserved:confirming'],
  ['down, nobody knows since when', down(null), 'unobserved:confirming'],
])('a target that is %s', (_, readings, state) => {
  expect(story().look(readings).states).toEqual({ '': state });
});

describe('a target that is down', () => {
  test('without a history counts from the first look', () => {
    const one = story();
    one.look(down(null));
    expect(
      one
        .restart()
        .wait(10 * MINUTE_MS)
        .look(down(null)).states,
    ).toEqual({ '': 'raised:warning' });
    expect(one.wait(MINUTE_MS).look(up).states).toEqual({ '': 'clear' });
  });

  test('and that Prometheus can not be asked about stays open', () => {
    const one = story();
    one.look(down(START_MS - HOUR_MS));
    const gaps = [{ sourceId: 'host', reads: [], code: 'source_failed' as const, reason: 'refused' }];
    expect(one.wait(MINUTE_MS).look([], { gaps }).states).toEqual({ '': 'unobserved:source_failed' });
    expect(one.memory()?.severity).toBe('warning');
  });

  test('is told with job, error, and the limit that the operator wrote', () => {
    expect(
      signalOf(story({ forMs: 30 * MINUTE_MS }).look(down(START_MS - HOUR_MS, { lastError: 'connection refused' }))),
    ).toMatchObject({
      summary:
        'Prometheus gets no answer from nas:9100 (job node): connection refused; for 60 min, limit 30 min (alerts.endpoint.up.for)',
      sinceMs: START_MS - HOUR_MS,
    });
  });
});
