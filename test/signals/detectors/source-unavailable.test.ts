import { describe, expect, test } from 'vitest';
import { sourceUnavailable } from '../../../signals/detectors/source-unavailable.ts';
import type { SurveyReading } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import { MINUTE_MS, resourceOf, SECOND_MS, START_MS, signalOf, startStory } from '../../support/signal-story.ts';

const source = resourceOf('source', { name: 'metrics', sourceIds: ['metrics'], expects: ['survey'] });
const story = () => startStory({ detector: sourceUnavailable, resource: source });
const survey = (outcome: SurveyReading['outcome'], reason: string | null = null) => [
  tell('survey', { outcome, reason }),
];

describe.each(['failed', 'partial'] as const)('a survey that is %s', (outcome) => {
  test('counts the second time, a minute or more later', () => {
    const one = story();
    expect(one.look(survey(outcome)).verdict).toMatchObject({ code: 'confirming', retryAtMs: START_MS + MINUTE_MS });
    expect(one.wait(MINUTE_MS - SECOND_MS).look(survey(outcome)).states).toEqual({ '': 'unobserved:confirming' });
    expect(one.restart().wait(SECOND_MS).look(survey(outcome)).states).toEqual({ '': 'raised:warning' });
  });

  test('is over with the first complete one', () => {
    const one = story();
    one.look(survey(outcome));
    one.wait(5 * MINUTE_MS).look(survey(outcome));
    expect(one.wait(5 * MINUTE_MS).look(survey('ok')).states).toEqual({ '': 'clear' });
    expect(one.wait(5 * MINUTE_MS).look(survey(outcome)).states).toEqual({ '': 'unobserved:confirming' });
  });
});

test('one kind of trouble after the other is one finding', () => {
  const one = story();
  one.look(survey('failed'));
  expect(one.wait(MINUTE_MS).look(survey('partial')).states).toEqual({ '': 'raised:warning' });
  expect(one.wait(MINUTE_MS).look(survey('failed')).states).toEqual({ '': 'raised:warning' });
});

test('the finding says what, why, and since when', () => {
  const one = story();
  one.look(survey('failed', 'connection refused'));
  expect(signalOf(one.wait(5 * MINUTE_MS).look(survey('failed', 'connection refused')))).toMatchObject({
    summary: 'metrics can not be read: connection refused; for 5 min',
    sinceMs: START_MS,
    details: { outcome: 'failed' },
  });
  expect(signalOf(one.look(survey('partial', 'no disks'))).summary).toContain('can be read in part only: no disks');
});

describe('a node', () => {
  const node = resourceOf('node', { name: 'pve2', expects: ['node_state'] });
  const lost = (...looks: readonly (boolean | null)[]) => {
    const one = startStory({ detector: sourceUnavailable, resource: node });
    return looks.map((online) => one.wait(MINUTE_MS).look([tell('node_state', { online })]).states['']);
  };

  test.each<[string, readonly (boolean | null)[], string]>([
    ['that is there', [true], 'clear'],
    ['that is away for a minute', [true, false, false], 'unobserved:confirming'],
    ['that is away for two', [true, false, false, false], 'raised:critical'],
    ['of which nobody knows', [true, null], 'unobserved:stale'],
    ['that was away and of which nobody knows', [false, false, false, null], 'unobserved:stale'],
    ['that comes back', [false, false, false, true], 'clear'],
  ])('%s', (_, looks, last) => {
    expect(lost(...looks).at(-1)).toBe(last);
  });
});
