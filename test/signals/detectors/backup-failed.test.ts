import { describe, expect, test } from 'vitest';
import { backupFailed } from '../../../signals/detectors/backup-failed.ts';
import type { BackupReading, BackupRun } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, resourceOf, START_MS, signalOf, startStory } from '../../support/signal-story.ts';

const vm = resourceOf('vm', { name: 'nas', expects: ['backup'] });
const story = () => startStory({ detector: backupFailed, resource: vm });

/** Ran for half an hour, two hours ago. */
const run = (outcome: BackupRun['outcome'], leftArchive: boolean, more: Partial<BackupRun> = {}): BackupRun => ({
  startedAtMs: START_MS - 2.5 * HOUR_MS,
  endedAtMs: START_MS - 2 * HOUR_MS,
  outcome,
  leftArchive,
  reason: null,
  ...more,
});
const backup = (lastRun: BackupRun | null, more: Partial<BackupReading> = {}) =>
  tell('backup', { target: 'pbs', newestGoodAtMs: START_MS - DAY_MS, lastRun, ...more });

describe('the newest finished run', () => {
  test.each<[string, ReturnType<typeof backup>, string]>([
    ['left an archive', backup(run('ok', true)), 'clear'],
    ['left none', backup(run('failed', false)), 'raised:warning'],
    ['ended with warnings, and left one', backup(run('warnings', true)), 'clear'],
    ['ended with warnings, and left none', backup(run('warnings', false)), 'raised:warning'],
    ['says that it went well, and left none', backup(run('ok', false)), 'raised:warning'],
    ['failed after the archive was finished', backup(run('failed', true)), 'clear'],
    ['is not known', backup(null), 'clear'],
    ['was made good by hand', backup(run('failed', false), { newestGoodAtMs: START_MS - HOUR_MS }), 'clear'],
    [
      'was made good before it ended',
      backup(run('failed', false), { newestGoodAtMs: START_MS - 2.2 * HOUR_MS }),
      'clear',
    ],
    [
      'came after a good one, and tells no beginning',
      backup(run('failed', false, { startedAtMs: null }), { newestGoodAtMs: START_MS - 2.2 * HOUR_MS }),
      'raised:warning',
    ],
    ['failed, and another is under way', backup(run('failed', false), { running: true }), 'raised:warning'],
  ])('%s', (_, reading, state) => {
    expect(story().look([reading]).states).toEqual({ pbs: state });
  });
});

describe('several targets', () => {
  test('are each judged for themselves: a good backup elsewhere clears nothing', () => {
    const look = story().look([
      backup(run('failed', false)),
      backup(run('ok', true), { target: 'usb', newestGoodAtMs: START_MS }),
    ]);
    expect(look.states).toEqual({ pbs: 'raised:warning', usb: 'clear' });
    expect(look.verdicts.map(({ subject }) => subject)).toEqual(['pbs', 'usb']);
  });

  test('of which one is no longer configured: it is absent, not well', () => {
    const one = story();
    one.look([backup(run('failed', false)), backup(null, { target: 'usb' })]);
    expect(one.wait(HOUR_MS).look([backup(null, { target: 'usb' })]).absent).toMatchObject([{ subject: 'pbs' }]);
  });

  test('of which one could not be read: it stays open', () => {
    const one = story();
    one.look([backup(run('failed', false))]);
    const gaps = [{ sourceId: 'host', reads: ['backup' as const], code: 'timed_out' as const, reason: 'slow' }];
    expect(one.wait(HOUR_MS).look([backup(null, { target: 'usb' })], { gaps }).states).toEqual({
      usb: 'clear',
      pbs: 'unobserved:timed_out',
    });
  });
});

test('of two jobs to one target the newest run counts', () => {
  const failed = backup(run('failed', false), { job: 'a' });
  const later = backup(run('ok', true, { endedAtMs: START_MS - HOUR_MS }), { job: 'b' });
  expect(story().look([failed, later]).states).toEqual({ pbs: 'clear' });
  expect(story().look([later, failed]).states).toEqual({ pbs: 'clear' });
});

test('a finding stays through restarts and other failures, until a later backup succeeds', () => {
  const one = story();
  one.look([backup(run('failed', false))]);
  one.restart().wait(DAY_MS);
  const again = run('failed', false, { startedAtMs: one.nowMs - HOUR_MS, endedAtMs: one.nowMs - MINUTE_MS });
  expect(one.look([backup(again)]).states).toEqual({ pbs: 'raised:warning' });
  expect(one.memory('pbs')?.sinceMs).toBe(START_MS - 2 * HOUR_MS);
  expect(one.wait(DAY_MS).look([backup(run('ok', true), { newestGoodAtMs: one.nowMs })]).states).toEqual({
    pbs: 'clear',
  });
});

test('the finding says what the run said, and what is left to fall back on', () => {
  expect(signalOf(story().look([backup(run('failed', false, { reason: 'no space left' }))]))).toMatchObject({
    key: 'backup_failed:pbs',
    summary:
      'the backup to pbs that ended 2 h ago left no finished archive: no space left; the last good one was begun 24 h ago',
    sinceMs: START_MS - 2 * HOUR_MS,
  });
  expect(signalOf(story().look([backup(run('ok', false), { newestGoodAtMs: null, running: true })])).summary).toBe(
    'the backup to pbs that ended 2 h ago left no finished archive, though it ended with "ok"; there is no good one; a run is under way',
  );
});
