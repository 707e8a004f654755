import { expect, test } from 'vitest';
import { byTarget } from '../../../signals/backup/by-target.ts';
import type { BackupReading, ReadingOf } from '../../../signals/reading.ts';
import { asResourceId } from '../../../signals/resource.ts';
import { tell } from '../../support/readings.ts';
import { HOUR_MS, START_MS } from '../../support/signal-story.ts';

let count = 0;
const reading = (more: Partial<BackupReading>): ReadingOf<'backup'> => {
  count += 1;
  const stamp = {
    id: `e${count}`,
    resourceId: asResourceId('vm'),
    sourceId: 'pve',
    takenAtMs: START_MS,
    receivedAtMs: START_MS,
  };
  return { ...tell('backup', more), ...stamp };
};

test('targets are kept apart', () => {
  expect([...byTarget([reading({ target: 'a' }), reading({ target: 'b' })]).keys()]).toEqual(['a', 'b']);
});

test('of several jobs to one target the newest archive, the newest run, and the first that is due count', () => {
  const schedule = (hours: number) => ({
    description: `in ${hours} h`,
    dueAtMs: [START_MS + hours * HOUR_MS, START_MS + 2 * hours * HOUR_MS] as const,
    usualDurationMs: null,
  });
  const run = (hoursAgo: number) => ({
    startedAtMs: null,
    endedAtMs: START_MS - hoursAgo * HOUR_MS,
    outcome: 'ok' as const,
    leftArchive: true,
    reason: null,
  });
  const daily = {
    target: 'a',
    newestGoodAtMs: START_MS - HOUR_MS,
    lastRun: run(1),
    schedule: schedule(24),
    running: false,
  };
  const weekly = { target: 'a', newestGoodAtMs: null, lastRun: run(100), schedule: schedule(168), running: true };
  for (const order of [
    [daily, weekly],
    [weekly, daily],
  ]) {
    expect(byTarget(order.map(reading)).get('a')).toMatchObject({
      newestGoodAtMs: START_MS - HOUR_MS,
      lastRun: { endedAtMs: START_MS - HOUR_MS },
      schedule: { description: 'in 24 h' },
      running: true,
    });
  }
  expect(byTarget([reading(daily), reading(weekly)]).get('a')?.evidence).toHaveLength(2);
});

test.each([
  [[true, false], true],
  [[false, null], false],
  [[null, null], null],
  [[false, false], false],
] as const)('covered by jobs %j is %s', (answers, expected) => {
  expect(byTarget(answers.map((coveredByJob) => reading({ target: 'a', coveredByJob }))).get('a')?.coveredByJob).toBe(
    expected,
  );
});

test('it came to be when the first source says that it did', () => {
  const readings = [null, START_MS, START_MS - HOUR_MS].map((resourceSinceMs) =>
    reading({ target: 'a', resourceSinceMs }),
  );
  expect(byTarget(readings).get('a')?.resourceSinceMs).toBe(START_MS - HOUR_MS);
});
