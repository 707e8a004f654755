import { expect, test } from 'vitest';
import { listBackups } from '../../src/tools/list-backups.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene } from '../support/tool-scene.ts';

test('a backup that failed says so, with its newest good one', async () => {
  const { text } = await openToolScene('backup-unit-fails', { runsBefore: 1 });
  const [first] = readAnswer(await text(listBackups, {})).rows;
  expect(first?.[0]).toBe('nas1');
  expect(first?.[3]).toMatchObject({
    target: 'offsite',
    newestGood: '2026-03-02T02:00Z',
    lastRun: { outcome: 'failed' },
    leftArchive: false,
  });
});

test('a repository that is away is not observed', async () => {
  const { text } = await openToolScene('backup-repository-away', { runsBefore: 1 });
  const { rows, summary } = readAnswer(await text(listBackups, {}));
  expect(summary).toMatch(/1 not observed/);
  expect(rows.at(-1)?.[3]).toMatchObject({ notObserved: expect.any(String) });
});

test('where nothing is backed up, nothing is listed', async () => {
  const { text } = await openToolScene('host-is-well');
  expect(await text(listBackups, {})).toBe('Backups: 0 readings, none missing. No rows.');
});
