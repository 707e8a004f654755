import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backupStale } from '../../../signals/detectors/backup-stale.ts';
import type { BackupReading } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  type Story,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const vm = resourceOf('vm', { name: 'nas', expects: ['backup'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: backupStale, resource: vm, settings: settingsOf('vm', 'backupAge', settings) });

/** A backup to `pbs`, begun so many hours before the story. */
const aged = (hours: number | null, more: Partial<BackupReading> = {}) =>
  tell('backup', { target: 'pbs', newestGoodAtMs: hours === null ? null : START_MS - hours * HOUR_MS, ...more });

const daily = (hours: number, more: Partial<BackupReading> = {}) => {
  const fromMs = START_MS - hours * HOUR_MS;
  return aged(hours, {
    coveredByJob: true,
    schedule: { description: 'daily at noon', dueAtMs: [fromMs + DAY_MS, fromMs + 2 * DAY_MS], usualDurationMs: null },
    ...more,
  });
};

describe('a backup', () => {
  test.each<[string, ReturnType<typeof aged>, Record<string, string>]>([
    ['of this morning', aged(5), { pbs: 'clear' }],
    ['of two days ago, without a known job', aged(48), { pbs: 'raised:warning' }],
    ['of four days ago, without a known job', aged(96), { pbs: 'raised:critical' }],
    ['of a daily job that ran', daily(20), { '': 'clear', pbs: 'clear' }],
    ['of a daily job that missed once', daily(26), { '': 'clear', pbs: 'raised:warning' }],
    ['of a daily job that missed twice', daily(50), { '': 'clear', pbs: 'raised:critical' }],
    ['dated in the future', aged(-2), { pbs: 'unobserved:future' }],
  ])('%s', (_, reading, states) => {
    expect(story().look([reading]).states).toEqual(states);
  });

  test('is told with its age, its limit, and whose that is', () => {
    expect(signalOf(story().look([aged(50)]))).toMatchObject({
      key: 'backup_stale:pbs',
      summary: 'the last good backup to pbs was begun 2 d 2 h ago, limit 2 d (default)',
      clearsWhen: 'a backup to pbs succeeds',
      level: { value: 50, unit: 'hours', limit: { trigger: 48 } },
    });
    const byCalendar = story()
      .look([daily(30, { running: true })])
      .verdicts.find(({ subject }) => subject === 'pbs');
    expect(byCalendar).toMatchObject({
      signal: {
        summary:
          "the last good backup to pbs was begun 30 h ago, limit 28 h (derived: the job's calendar: daily at noon); a run is under way",
      },
    });
    expect(signalOf(story({ warning: 24 }).look([aged(30)])).summary).toContain(
      'limit 24 h (alerts.vm.backupAge.warning)',
    );
  });

  test('that is under way puts it off, and takes nothing back once it is overdue', () => {
    const one = story();
    expect(one.look([daily(27, { running: true })]).states).toMatchObject({ pbs: 'clear' });
    expect(one.look([daily(27)]).states).toMatchObject({ pbs: 'raised:warning' });
    expect(one.look([daily(27, { running: true })]).states).toMatchObject({ pbs: 'raised:warning' });
    expect(
      one
        .restart()
        .wait(HOUR_MS)
        .look([daily(0)]).states,
    ).toMatchObject({ pbs: 'clear' });
  });
});

describe('a thing that was never backed up', () => {
  test.each<[string, number, Record<string, string>]>([
    ['on its first day', 23, { pbs: 'clear' }],
    ['after a day', 24, { pbs: 'raised:warning' }],
    ['after a week', 168, { pbs: 'raised:critical' }],
  ])('%s', (_, hours, states) => {
    expect(story().look([aged(null, { resourceSinceMs: START_MS - hours * HOUR_MS })]).states).toEqual(states);
  });

  test('nobody knows how old it is: counted from the first look, through restarts of patrold', () => {
    const one = story();
    expect(one.look([aged(null)]).states).toEqual({ pbs: 'unobserved:confirming' });
    expect(
      one
        .restart()
        .wait(DAY_MS - MINUTE_MS)
        .look([aged(null)]).states,
    ).toEqual({ pbs: 'unobserved:confirming' });
    expect(one.wait(MINUTE_MS).look([aged(null)]).states).toEqual({ pbs: 'raised:warning' });
    expect(
      one
        .restart()
        .wait(6 * DAY_MS)
        .look([aged(null)]).states,
    ).toEqual({ pbs: 'raised:critical' });
    expect(one.wait(HOUR_MS).look([aged(-7 * 24)]).states).toEqual({ pbs: 'clear' });
  });

  test('is told as that', () => {
    const look = story().look([aged(null, { resourceSinceMs: START_MS - 30 * HOUR_MS })]);
    expect(signalOf(look).summary).toBe(
      'there is no good backup on pbs, 30 h after there could have been one, limit 24 h (derived: it was never backed up)',
    );
  });
});

test('what was overdue does not get better by losing the last backup that there was', () => {
  const one = story();
  one.look([aged(100)]);
  expect(one.look([aged(null, { resourceSinceMs: START_MS - 30 * HOUR_MS })]).states).toEqual({
    pbs: 'raised:critical',
  });
  expect(one.look([aged(null, { resourceSinceMs: START_MS - HOUR_MS })]).states).toEqual({ pbs: 'raised:critical' });
  expect(one.look([aged(1)]).states).toEqual({ pbs: 'clear' });
});

describe('several targets', () => {
  test('are each judged for themselves', () => {
    const look = story().look([aged(5), aged(60, { target: 'usb' })]);
    expect(look.states).toEqual({ pbs: 'clear', usb: 'raised:warning' });
  });

  test('keep their findings in whatever order they come', () => {
    const one = story();
    one.look([aged(5), aged(60, { target: 'usb' })]);
    expect(one.look([aged(60, { target: 'usb' }), aged(5)]).states).toEqual({ usb: 'raised:warning', pbs: 'clear' });
  });

  test('of which one is no longer there: it is absent, not well', () => {
    const one = story();
    one.look([aged(5), aged(60, { target: 'usb' })]);
    expect(one.look([aged(5)]).absent).toMatchObject([{ subject: 'usb' }]);
  });
});

describe('a thing that no enabled job includes', () => {
  const uncovered = (hours: number | null, more: Partial<BackupReading> = {}) =>
    aged(hours, { coveredByJob: false, ...more });

  test.each<[string, readonly ReturnType<typeof aged>[], Record<string, string>]>([
    ['though it was backed up by hand today', [uncovered(5)], { '': 'raised:warning' }],
    ['and whose backups are old', [uncovered(100)], { '': 'raised:critical' }],
    ['on two targets is one finding', [uncovered(5), uncovered(null, { target: 'usb' })], { '': 'raised:warning' }],
    ['on its first day', [uncovered(null, { resourceSinceMs: START_MS - 23 * HOUR_MS })], { '': 'clear' }],
    [
      'and was never backed up',
      [uncovered(null, { resourceSinceMs: START_MS - 8 * DAY_MS })],
      { '': 'raised:critical' },
    ],
    [
      'but a job to another target',
      [uncovered(5), daily(5, { target: 'usb' })],
      { '': 'clear', pbs: 'clear', usb: 'clear' },
    ],
    [
      'as far as one source of two can tell',
      [uncovered(5), aged(5, { target: 'usb' })],
      { pbs: 'clear', usb: 'clear' },
    ],
  ])('%s', (_, readings, states) => {
    expect(story().look(readings).states).toEqual(states);
  });

  test('is told with what it has', () => {
    expect(signalOf(story().look([uncovered(5)]))).toMatchObject({
      key: 'backup_stale',
      summary: 'no enabled backup job includes it; its last good backup was begun 5 h ago',
      clearsWhen: 'an enabled job includes it',
    });
    expect(signalOf(story().look([uncovered(null)])).summary).toBe(
      'no enabled backup job includes it; there is no good backup of it',
    );
  });

  test('clears when a job includes it, and stays open when nobody can tell any more', () => {
    const one = story();
    one.look([uncovered(5)]);
    expect(one.look([aged(5)]).states).toEqual({ '': 'unobserved:not_supported', pbs: 'clear' });
    expect(one.look([daily(5)]).states).toEqual({ '': 'clear', pbs: 'clear' });
  });
});

test('a target that can not be read is unobserved, and what was raised stays (field case 4)', () => {
  const one = story();
  one.look([aged(60)]);
  const gaps = [{ sourceId: 'host', reads: ['backup' as const], code: 'unreachable' as const, reason: 'locked' }];
  expect(one.look([], { gaps }).states).toEqual({ pbs: 'unobserved:unreachable' });
  expect(one.memory('pbs')?.severity).toBe('warning');
});

test('the age can be switched off, and its critical alone', () => {
  expect(story({ off: true }).look([aged(500)]).skipped).toMatchObject([{ code: 'switched_off' }]);
  expect(story({ critical: 'off' }).look([aged(500)]).states).toEqual({ pbs: 'raised:warning' });
});

test('an older backup never lowers the severity', () => {
  const hours = fc.double({ min: 0, max: 300, noNaN: true });
  fc.assert(
    fc.property(hours, hours, fc.boolean(), fc.boolean(), (age, more, running, isDaily) => {
      const rank = (value: number, one: Story = story()): number =>
        rankOf(one.look([isDaily ? daily(value, { running }) : aged(value, { running })]), 'pbs');
      expect(rank(age + more)).toBeGreaterThanOrEqual(rank(age));
    }),
  );
});

describe('what a store alone tells of', () => {
  const stored = (hours: number, target = 'pbs') => ({ ...aged(hours, { archivesOnly: true }), target });

  test('has no time by which it is due, however old it is', () => {
    expect(story().look([stored(500)]).states).toEqual({});
    const states = story().look([daily(20), stored(500, 'old-place')]).states;
    expect(states).toEqual({ '': 'clear', pbs: 'clear' });
  });

  test('is weighed with what the job tells of the same target', () => {
    expect(story().look([daily(50), stored(2)]).states).toEqual({ '': 'clear', pbs: 'clear' });
    expect(story().look([daily(26), stored(60)]).states).toEqual({ '': 'clear', pbs: 'raised:warning' });
  });

  test('keeps what was raised while nobody tells of the job, and lets it go where another target is the job’s now', () => {
    const late = story();
    late.look([daily(50)]);
    expect(late.look([stored(51)]).states).toEqual({ pbs: 'unobserved:no_reading' });
    expect(late.look([{ ...daily(20), target: 'new-place' }, stored(52)]).states).not.toHaveProperty('pbs');
  });
});
