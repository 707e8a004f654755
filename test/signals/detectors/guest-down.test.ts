import { describe, expect, test } from 'vitest';
import { guestDown } from '../../../signals/detectors/guest-down.ts';
import type { ReadingOf } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

type State = Partial<ReadingOf<'guest_state'>>;

const guest = resourceOf('vm', { name: 'web', expects: ['guest_state'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: guestDown, resource: guest, settings: settingsOf('vm', 'down', settings) });
const on = (more: State = {}) => [tell('guest_state', { onBoot: false, ...more })];
const off = (more: State = {}) => on({ power: 'stopped', ...more });

/** Runs, and is off from five minutes later on: the states of three looks, five minutes apart. */
const fell = (more: State = {}) => {
  const one = story();
  one.look(on());
  return [1, 2, 3].map(() => {
    const lastSurveyAtMs = one.nowMs;
    return one.wait(5 * MINUTE_MS).look(off(more), { lastSurveyAtMs }).states[''];
  });
};

describe('a guest that ran', () => {
  test('is down when it has been off for five minutes and nobody stopped it', () => {
    expect(fell()).toEqual(['unobserved:confirming', 'raised:warning', 'raised:warning']);
  });

  test.each<[string, State, string]>([
    ['an operator stopped it', { lastStop: { by: 'operator', atMs: START_MS + 2 * MINUTE_MS } }, 'clear'],
    [
      'an operator had stopped it long before',
      { lastStop: { by: 'operator', atMs: START_MS - DAY_MS } },
      'raised:warning',
    ],
    [
      'a backup stopped it and works on',
      { lastStop: { by: 'backup', atMs: START_MS }, taskRunning: true },
      'unobserved:confirming',
    ],
    [
      'it is locked by a backup whose task can not be seen',
      { lock: 'backup', taskRunning: null },
      'unobserved:confirming',
    ],
    [
      'a backup stopped it and did not start it again',
      { lastStop: { by: 'backup', atMs: START_MS + MINUTE_MS } },
      'raised:warning',
    ],
    ['nobody can see who stopped it', { stopsKnownSinceMs: null }, 'unobserved:not_permitted'],
    ['stops are known only since later', { stopsKnownSinceMs: START_MS + 4 * MINUTE_MS }, 'unobserved:not_permitted'],
    ['HA wants it', { ha: { state: 'started', requested: 'started' } }, 'raised:critical'],
    ['HA wants it stopped', { ha: { state: 'stopped', requested: 'stopped' } }, 'clear'],
    ['HA ignores it', { ha: { state: 'ignored', requested: 'ignored' } }, 'raised:warning'],
    ['its node does not tell', { power: 'unknown' }, 'unobserved:stale'],
    ['it is paused', { power: 'paused', pausedBecause: 'suspended' }, 'clear'],
  ])('%s', (_, more, last) => {
    expect(fell(more).at(-1)).toBe(last);
  });

  test('a backup that stops it every night is never a finding (field case 6)', () => {
    const one = story();
    for (let night = 0; night < 4; night += 1) {
      one.wait(HOUR_MS).look(on());
      for (let look = 0; look < 4; look += 1)
        expect(one.wait(5 * MINUTE_MS).look(off({ taskRunning: true, lock: 'backup' })).states).toEqual({
          '': 'unobserved:confirming',
        });
      // The backup has ended, and the guest is about to start.
      expect(one.wait(MINUTE_MS).look(off()).states).toEqual({ '': 'unobserved:confirming' });
      expect(one.wait(MINUTE_MS).look(on()).states).toEqual({ '': 'clear' });
    }
  });

  test('stays down over a restart, until it runs or somebody stops it', () => {
    const one = story();
    one.look(on());
    for (let look = 0; look < 3; look += 1) one.wait(5 * MINUTE_MS).look(off());
    one.restart();
    expect(one.wait(DAY_MS).look(off()).states).toEqual({ '': 'raised:warning' });
    const atMs = one.nowMs + MINUTE_MS;
    expect(one.wait(5 * MINUTE_MS).look(off({ lastStop: { by: 'operator', atMs } })).states).toEqual({ '': 'clear' });
    expect(one.wait(DAY_MS).look(off()).states).toEqual({ '': 'clear' });
  });

  test('that was stopped on purpose stays so when the task is long forgotten', () => {
    const one = story();
    one.look(on());
    const atMs = one.nowMs + MINUTE_MS;
    one.wait(5 * MINUTE_MS).look(off({ lastStop: { by: 'operator', atMs } }));
    const late = off({ lastStop: null, stopsKnownSinceMs: START_MS + 20 * DAY_MS });
    expect(one.wait(30 * DAY_MS).look(late).states).toEqual({ '': 'clear' });
  });

  test('that crashed after it had been stopped and started unseen is down', () => {
    const one = story();
    one.look(on());
    const lastStop = { by: 'operator', atMs: one.nowMs + 2 * HOUR_MS } as const;
    const lastSurveyAtMs = one.nowMs + 6 * HOUR_MS;
    one.wait(6 * HOUR_MS).look(on({ lastStop }));
    one.wait(5 * MINUTE_MS).look(off({ lastStop }), { lastSurveyAtMs });
    expect(one.wait(5 * MINUTE_MS).look(off({ lastStop })).states).toEqual({ '': 'raised:warning' });
  });
});

describe('a guest that was off at the first look', () => {
  const rebooted = { onBoot: true, nodeUpSinceMs: START_MS - HOUR_MS };
  test.each<[string, State, string]>([
    ['is a baseline (field case 9)', {}, 'clear'],
    ['also when it starts with its node, and stops since then are not all known', { onBoot: true }, 'clear'],
    ['is down when its node came up, did not start it, and nobody stopped it', rebooted, 'raised:warning'],
    ['not within ten minutes of that', { onBoot: true, nodeUpSinceMs: START_MS + 2 * MINUTE_MS }, 'clear'],
    [
      'not when somebody stopped it since',
      { ...rebooted, lastStop: { by: 'operator', atMs: START_MS - MINUTE_MS } },
      'clear',
    ],
    ['nor when it is not started with its node', { ...rebooted, onBoot: false }, 'clear'],
    ['nor when its config can not be read', { ...rebooted, onBoot: null }, 'clear'],
  ])('%s', (_, more, last) => {
    const one = story();
    one.look(off(more));
    expect(one.wait(6 * MINUTE_MS).look(off(more)).states).toEqual({ '': last });
  });
});

test('it says why it should run, and since when it does not', () => {
  const one = story();
  one.look(on());
  one.wait(5 * MINUTE_MS).look(off());
  expect(signalOf(one.wait(10 * MINUTE_MS).look(off())).summary).toBe(
    'web is off; it ran before, and nobody has stopped it; for 10 min, limit 5 min (default)',
  );
});
