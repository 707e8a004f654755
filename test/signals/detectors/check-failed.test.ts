import { describe, expect, test } from 'vitest';
import { checkFailed } from '../../../signals/detectors/check-failed.ts';
import type { ProbeReading } from '../../../signals/reading.ts';
import type { Resource } from '../../../signals/resource.ts';
import { tell } from '../../support/readings.ts';
import { MINUTE_MS, resourceOf, settingsOf, signalOf, startStory, type Told } from '../../support/signal-story.ts';

const thing = (status: Resource['status'] = 'running') => resourceOf('vm', { name: 'nas', status, expects: ['probe'] });
const story = (resource = thing(), settings: Record<string, unknown> = {}) =>
  startStory({ detector: checkFailed, resource, settings: settingsOf('vm', 'answered', settings) });

const check = (name: string, answered: boolean, kind: ProbeReading['probe'] = 'http') =>
  tell('probe', { probe: kind, answered, check: name, reason: answered ? null : 'status 503', expected: true });
const own = (answered: boolean) =>
  tell('probe', { probe: 'agent', answered, check: 'agent', reason: answered ? null : 'no answer' });

/** The answer of the second look, a minute after the first. */
const second = (readings: readonly Told[], resource = thing()) => {
  const one = story(resource);
  one.look(readings);
  return one.wait(MINUTE_MS).look(readings).states;
};

describe('checks of one thing', () => {
  test.each<[string, readonly Told[], Readonly<Record<string, string>>]>([
    ['both answered', [check('web', true), check('ssh', true, 'tcp')], { web: 'clear', ssh: 'clear' }],
    [
      'one of two not answered',
      [check('web', false), check('ssh', true, 'tcp')],
      { web: 'raised:warning', ssh: 'clear' },
    ],
    ['none answered: guest_unreachable says so', [check('web', false), check('ssh', false, 'tcp')], {}],
    ['the only one', [check('web', false)], {}],
    ['the only one, answered', [check('web', true)], {}],
    ['one beside the agent, which answers', [check('web', false), own(true)], { web: 'raised:warning' }],
    ['the agent alone does not answer', [check('web', true), own(false)], { web: 'clear' }],
  ])('%s', (_, readings, states) => {
    expect(second(readings)).toEqual(states);
  });

  test('by several sources: the one that gets no answer counts', () => {
    const elsewhere = { ...check('web', true), stamp: { sourceId: 'metrics' } };
    expect(second([check('web', false), elsewhere])).toEqual({ web: 'raised:warning' });
  });
});

test('one lost answer is chance, and the summary says what answered, what did not, and for how long', () => {
  const one = story();
  const bad = [check('web', false), own(true)];
  expect(one.look(bad).states).toEqual({ web: 'unobserved:confirming' });
  expect(one.wait(MINUTE_MS).look([check('web', true), own(true)]).states).toEqual({ web: 'clear' });
  one.wait(MINUTE_MS).look(bad);
  const signal = signalOf(one.wait(5 * MINUTE_MS).look(bad));
  expect(signal.summary).toBe(
    'nas does not answer web as it should: status 503, for 5 min; other checks of it are answered',
  );
  expect(signal.key).toBe('check_failed:web');
});

test('what was raised is not over when everything falls silent, and is when it is answered', () => {
  const one = story();
  const bad = [check('web', false), check('ssh', true, 'tcp')];
  one.look(bad);
  one.wait(MINUTE_MS).look(bad);
  const silent = [check('web', false), check('ssh', false, 'tcp')];
  expect(one.wait(MINUTE_MS).look(silent).states).toEqual({ web: 'unobserved:confirming' });
  expect(one.wait(MINUTE_MS).look(bad).states).toMatchObject({ web: 'raised:warning' });
  expect(one.wait(MINUTE_MS).look([check('web', true), check('ssh', true, 'tcp')]).states).toMatchObject({
    web: 'clear',
  });
});

test('a stopped guest is not judged, and a longer time can be written', () => {
  const bad = [check('web', false), check('ssh', true, 'tcp')];
  expect(second(bad, thing('stopped'))).toEqual({});
  const patient = story(thing(), { forMs: 10 * MINUTE_MS });
  patient.look(bad);
  expect(patient.wait(5 * MINUTE_MS).look(bad).states).toMatchObject({ web: 'unobserved:confirming' });
  expect(patient.wait(6 * MINUTE_MS).look(bad).states).toMatchObject({ web: 'raised:warning' });
});
