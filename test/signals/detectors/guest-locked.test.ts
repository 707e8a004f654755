import { expect, test } from 'vitest';
import { guestLocked } from '../../../signals/detectors/guest-locked.ts';
import type { ReadingOf } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import { HOUR_MS, MINUTE_MS, resourceOf, signalOf, startStory } from '../../support/signal-story.ts';

type State = Partial<ReadingOf<'guest_state'>>;
const guest = resourceOf('vm', { name: 'db', expects: ['guest_state'] });
const story = () => startStory({ detector: guestLocked, resource: guest });
const state = (more: State) => [tell('guest_state', more)];

test.each<[string, State, string]>([
  ['without a lock', {}, 'clear'],
  ['locked by a backup that died', { lock: 'backup' }, 'raised:warning'],
  ['locked by a kind of lock that nobody knows', { lock: 'new-kind' }, 'raised:warning'],
  ['suspended', { lock: 'suspended', power: 'stopped' }, 'clear'],
  ['locked while a task works on it', { lock: 'backup', taskRunning: true }, 'clear'],
  ['locked where tasks can not be seen', { lock: 'backup', taskRunning: null }, 'unobserved:not_permitted'],
])('a guest that is %s, after two hours', (_, more, expected) => {
  const one = story();
  one.look(state(more));
  expect(one.wait(2 * HOUR_MS).look(state(more)).states).toEqual({ '': expected });
});

test('a long backup that ends and another that begins are no lock left behind', () => {
  const one = story();
  for (let look = 0; look < 30; look += 1)
    expect(
      one.wait(10 * MINUTE_MS).look(state({ lock: 'backup', taskRunning: look % 7 !== 0 })).states[''],
      `${look}`,
    ).not.toBe('raised:warning');
});

test('says which lock and for how long, and is over when it is gone', () => {
  const one = story();
  one.look(state({ lock: 'migrate' }));
  expect(one.wait(HOUR_MS).look(state({ lock: 'migrate' })).states).toEqual({ '': 'unobserved:confirming' });
  expect(signalOf(one.wait(2 * HOUR_MS).look(state({ lock: 'migrate' })))).toMatchObject({
    summary: 'db is locked (migrate) and no task works on it; for 3 h, limit 2 h (default)',
    details: { lock: 'migrate' },
  });
  expect(one.wait(MINUTE_MS).look(state({})).states).toEqual({ '': 'clear' });
});
