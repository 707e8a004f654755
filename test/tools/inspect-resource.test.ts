import { expect, test } from 'vitest';
import { inspectResource } from '../../src/tools/inspect-resource.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene } from '../support/tool-scene.ts';

test('a resource is shown with its readings, what was not observed of it, and what is known to be wrong', async () => {
  const { text, context, stores } = await openToolScene('compound-bad-day', { runsBefore: 3 });
  const { rows } = readAnswer(await text(inspectResource, { resource: 'nas1/filesystem/srv' }));
  expect(rows[0]).toEqual([
    'about',
    null,
    expect.objectContaining({ id: 'nas1/filesystem/srv', under: 'nas1', seenInThisRun: true }),
  ]);
  const reading = rows.find(([what]) => what === 'filesystem');
  expect(context.evidence.get(String(reading?.[1]))).toMatchObject({ kind: 'filesystem' });
  const active = stores.findings.active().filter(({ resourceId }) => resourceId === 'nas1/filesystem/srv');
  expect(rows.filter(([what]) => what === 'known finding')).toHaveLength(active.length);
});

test('a disk that was left asleep is not observed, with the reason', async () => {
  const { text } = await openToolScene('compound-bad-day');
  const { rows } = readAnswer(
    await text(inspectResource, { resource: 'nas1/disk/wdc_wd40efrx-68n32n0-wd-wcc7k7654321' }),
  );
  expect(rows).toContainEqual([
    'smart',
    null,
    { notObserved: 'asleep', reason: '/dev/sdb is spun down and was left asleep' },
  ]);
});

test('what lies directly below is counted, not listed', async () => {
  const { text } = await openToolScene('compound-bad-day');
  const { rows } = readAnswer(await text(inspectResource, { resource: 'nas1' }));
  expect(rows[0]?.[2]).toMatchObject({ directlyBelow: { filesystem: 5, disk: 5, array: 1, service: 7 } });
});
