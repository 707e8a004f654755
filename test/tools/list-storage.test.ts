import { expect, test } from 'vitest';
import { listStorage } from '../../src/tools/list-storage.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene } from '../support/tool-scene.ts';

test('faults come first, then the fullest', async () => {
  const { text } = await openToolScene('compound-bad-day');
  const { rows } = readAnswer(await text(listStorage, {}));
  expect(rows.map(([id]) => id).slice(0, 3)).toEqual(['nas1/array/md0', 'nas1/filesystem/srv', 'nas1/filesystem/root']);
  expect(rows[1]?.[3]).toEqual({ used: '92.5 %', free: '279.4 GiB', size: '3.6 TiB', inodesFree: '99.8 %' });
});

test.each([
  ['zfs-mirror-degraded', 1, { state: 'DEGRADED' }],
  ['thin-pool-metadata', 0, { metadataUsed: expect.any(String) }],
  ['host-turned-read-only', 1, { readOnly: true }],
])('%s is seen at the top', async (scenario, runsBefore, facts) => {
  const { text } = await openToolScene(scenario, { runsBefore });
  expect(readAnswer(await text(listStorage, {})).rows[0]?.[3]).toMatchObject(facts);
});

test('a source that does not answer leaves its storage not observed, with its reason', async () => {
  const { text } = await openToolScene('compound-source-lost', { runsBefore: 1 });
  const { summary, rows } = readAnswer(await text(listStorage, {}));
  expect(summary).toBe('Storage: 0 readings, 6 not observed (listed last).');
  expect(rows[0]?.[3]).toEqual({ notObserved: 'source_failed', reason: 'nas: the recording is away' });
});
