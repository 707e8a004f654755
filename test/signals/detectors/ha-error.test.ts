import { expect, test } from 'vitest';
import { haError } from '../../../signals/detectors/ha-error.ts';
import { tell } from '../../support/readings.ts';
import { resourceOf, signalOf, startStory } from '../../support/signal-story.ts';

const guest = resourceOf('container', { name: 'dns', expects: ['guest_state'] });
const story = () => startStory({ detector: haError, resource: guest });
const ha = (state: string | null) => [
  tell('guest_state', { ha: state === null ? null : { state, requested: 'started' } }),
];

test.each([
  ['error', 'raised:critical'],
  ['fence', 'raised:critical'],
  ['recovery', 'raised:critical'],
  ['started', 'clear'],
  ['migrate', 'clear'],
  ['queued', 'clear'],
  ['a state of a later version', 'clear'],
])('HA state %s is %s', (state, expected) => {
  expect(story().look(ha(state)).states).toEqual({ '': expected });
});

test('a guest that HA does not manage is not judged', () => {
  expect(story().look(ha(null)).states).toEqual({});
});

test('says what the state means, and is over when HA has it in order', () => {
  const one = story();
  expect(signalOf(one.look(ha('error'))).summary).toBe(
    'dns is in HA state error: HA has given up on it, and does nothing until the error is cleared',
  );
  expect(one.wait(1).look(ha('started')).states).toEqual({ '': 'clear' });
});
