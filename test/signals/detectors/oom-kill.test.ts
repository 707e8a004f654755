import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oomKill } from '../../../signals/detectors/oom-kill.ts';
import type { OomKill } from '../../../signals/reading.ts';
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

const host = resourceOf('host', { expects: ['oom_kills'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: oomKill, resource: host, settings: settingsOf('host', 'oomKill', settings) });

const kill = (hoursAgo: number, victim = 'postgres', more: Partial<OomKill> = {}): OomKill => ({
  atMs: START_MS - hoursAgo * HOUR_MS,
  victim,
  cgroup: null,
  inContainer: false,
  ...more,
});
const killed = (...kills: readonly OomKill[]) => [tell('oom_kills', { kills, count: kills.length })];
const counted = (count: number, sinceHoursAgo: number) => [
  tell('oom_kills', { kills: null, count, sinceMs: START_MS - sinceHoursAgo * HOUR_MS }),
];

describe('kills in the log', () => {
  test.each([
    ['none', killed(), 'clear'],
    ['one an hour ago', killed(kill(1)), 'raised:warning'],
    ['one yesterday noon', killed(kill(24)), 'clear'],
    ['one inside a container, which is the container’s', killed(kill(1, 'java', { inContainer: true })), 'clear'],
  ])('%s', (_, readings, state) => {
    expect(story().look(readings).states).toEqual({ '': state });
  });

  test('are told with number, time and victims', () => {
    const { summary, sinceMs, level } = signalOf(
      story().look(killed(kill(5, 'java'), kill(3, 'postgres'), kill(2, 'java'))),
    );
    expect(summary).toBe('the kernel killed 3 times for lack of memory, last 2 h ago: java, postgres');
    expect([sinceMs, level?.value]).toEqual([START_MS - 5 * HOUR_MS, 3]);
  });

  test('name a few of many victims', () => {
    const many = Array.from({ length: 9 }, (_, index) => kill(1, `worker-${index}`));
    expect(signalOf(story().look(killed(...many))).summary).toContain('worker-0, worker-1, worker-2 and 6 more');
  });

  test('that no survey has seen yet count, however long patrold was down', () => {
    const look = story().look(killed(kill(60)), { lastSurveyAtMs: START_MS - 4 * DAY_MS });
    expect(look.states).toEqual({ '': 'raised:warning' });
  });
});

describe('a finding', () => {
  test('stays for a day after the last kill, though the next surveys see none, and then clears', () => {
    const one = story();
    one.look(killed(kill(1)));
    expect(
      one
        .restart()
        .wait(5 * MINUTE_MS)
        .look(killed()).states,
    ).toEqual({ '': 'raised:warning' });
    expect(one.wait(22 * HOUR_MS).look(killed()).states).toEqual({ '': 'raised:warning' });
    expect(one.wait(HOUR_MS).look(killed()).states).toEqual({ '': 'clear' });
  });

  test('adds up kills of later surveys, and counts those seen twice once', () => {
    const one = story();
    one.look(killed(kill(3), kill(2)));
    expect(signalOf(one.wait(MINUTE_MS).look(killed(kill(1, 'java')))).summary).toContain(
      'killed 3 times for lack of memory, last 61 min ago: java',
    );
    expect(signalOf(one.wait(MINUTE_MS).look(killed(kill(1, 'java')))).level?.value).toBe(3);
  });

  test('keeps its beginning', () => {
    const one = story();
    one.look(killed(kill(3)));
    expect(signalOf(one.wait(HOUR_MS).look(killed(kill(0)))).sinceMs).toBe(START_MS - 3 * HOUR_MS);
  });
});

describe('a bare counter', () => {
  test('of kills since the boot, long ago, is a baseline', () => {
    expect(story().look(counted(7, 900)).states).toEqual({ '': 'clear' });
  });

  test('of kills since the last survey counts', () => {
    expect(story().look(counted(0, 1)).states).toEqual({ '': 'clear' });
    expect(signalOf(story().look(counted(2, 0.1))).summary).toBe(
      'the kernel killed 2 times for lack of memory, last 0 s ago',
    );
  });
});

test('a log that can not be read is unobserved, and keeps what was raised', () => {
  const one = story();
  one.look(killed(kill(1)));
  const gaps = [
    { sourceId: 'host', reads: ['oom_kills'], code: 'not_permitted', reason: 'add the user to systemd-journal' },
  ] as const;
  expect(one.wait(MINUTE_MS).look([], { gaps }).states).toEqual({ '': 'unobserved:not_permitted' });
  expect(one.memory()).toMatchObject({ severity: 'warning' });
});

test('the operator may switch it off', () => {
  expect(story({ off: true }).look(killed(kill(1)))).toMatchObject({
    verdicts: [],
    skipped: [{ code: 'switched_off' }],
  });
});

test('more kills are never less of a fault', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 48 }), { maxLength: 6 }), (hours) => {
      const state = story().look(killed(...hours.map((ago) => kill(ago)))).states[''];
      expect(state).toBe(hours.some((ago) => ago < 24) ? 'raised:warning' : 'clear');
    }),
  );
});
