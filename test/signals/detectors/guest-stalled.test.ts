import { expect, test } from 'vitest';
import { guestStalled } from '../../../signals/detectors/guest-stalled.ts';
import type { ReadingOf } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import { MINUTE_MS, resourceOf, settingsOf, signalOf, startStory } from '../../support/signal-story.ts';

type State = Partial<ReadingOf<'guest_state'>>;
const guest = resourceOf('vm', { name: 'db', expects: ['guest_state'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: guestStalled, resource: guest, settings: settingsOf('vm', 'stalled', settings) });
const state = (more: State) => [tell('guest_state', more)];

test.each<[string, State, string]>([
  ['running', {}, 'clear'],
  ['stopped', { power: 'stopped' }, 'clear'],
  ['paused by an I/O error', { power: 'paused', pausedBecause: 'io-error' }, 'raised:critical'],
  ['paused by an internal error', { power: 'paused', pausedBecause: 'internal-error' }, 'raised:critical'],
  ['panicked', { power: 'paused', pausedBecause: 'guest-panicked' }, 'raised:critical'],
  ['suspended by somebody', { power: 'paused', pausedBecause: 'suspended' }, 'clear'],
  ['paused by somebody', { power: 'paused', pausedBecause: 'other' }, 'clear'],
  ['paused, and nobody says why', { power: 'paused', pausedBecause: null }, 'clear'],
  ['unknown', { power: 'unknown' }, 'unobserved:stale'],
])('a guest that is %s', (_, more, expected) => {
  expect(story().look(state(more)).states).toEqual({ '': expected });
});

test('says why, is over when it runs, and waits as long as somebody wrote', () => {
  const bad = state({ power: 'paused', pausedBecause: 'io-error' });
  const one = story();
  expect(signalOf(one.look(bad)).summary).toBe(
    'db was paused (io-error): a disk of it can not be written: is its storage full or away?',
  );
  expect(one.wait(MINUTE_MS).look(state({ power: 'unknown' })).states).toEqual({ '': 'unobserved:stale' });
  expect(one.wait(MINUTE_MS).look(state({})).states).toEqual({ '': 'clear' });
  const patient = story({ forMs: 5 * MINUTE_MS });
  expect(patient.look(bad).states).toEqual({ '': 'unobserved:confirming' });
  expect(patient.wait(5 * MINUTE_MS).look(bad).states).toEqual({ '': 'raised:critical' });
});
