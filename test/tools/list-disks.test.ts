import { expect, test } from 'vitest';
import { listDisks } from '../../src/tools/list-disks.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene } from '../support/tool-scene.ts';

test('the disk that tells of trouble comes first, with the counters that tell it', async () => {
  const { text } = await openToolScene('host-disk-pending-sectors', { runsBefore: 1 });
  const [first] = readAnswer(await text(listDisks, {})).rows;
  expect(first?.[3]).toMatchObject({
    tellingAttributes: expect.arrayContaining([expect.objectContaining({ id: 197 })]),
  });
});

test('a disk that says of itself that it fails comes first', async () => {
  const { text } = await openToolScene('host-disk-says-failed', { runsBefore: 1 });
  expect(readAnswer(await text(listDisks, {})).rows[0]?.[3]).toMatchObject({ healthPassed: false });
});

test('a disk that was left asleep is listed last, as not observed', async () => {
  const { text } = await openToolScene('host-is-well', { runsBefore: 0 });
  const { rows, summary } = readAnswer(await text(listDisks, {}));
  expect(summary).toMatch(/not observed/);
  expect(rows.at(-1)?.[3]).toMatchObject({ notObserved: expect.any(String), reason: expect.any(String) });
});
