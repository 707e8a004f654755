import { expect, test } from 'vitest';
import { asResourceId } from '../../signals/resource.ts';
import { readHistory } from '../../src/tools/read-history.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene } from '../support/tool-scene.ts';

test('what happened on a resource is told newest first, with who did it and why', async () => {
  const { text, stores, context } = await openToolScene('docker-restart-loop-calms');
  const [finding] = stores.findings.list({ state: 'all' }).findings;
  if (finding === undefined) throw new Error('nothing was found');
  stores.findings.act(finding.id, { kind: 'note', by: 'ann', note: 'a new image is coming' }, { nowMs: context.nowMs });
  const { rows } = readAnswer(await text(readHistory, { resource: finding.resourceId }));
  expect(rows[0]?.[3]).toEqual(
    expect.objectContaining({ event: 'noted', by: 'operator', reason: 'a new image is coming' }),
  );
  expect(rows.at(-1)?.[3]).toMatchObject({ event: 'opened', by: 'patrold' });
  expect(rows.every(([id]) => stores.findings.find(String(id)).id === finding.id)).toBe(true);
});

test('what the operator declared is told first', async () => {
  const { text, stores, context } = await openToolScene('host-is-well');
  const nas1 = asResourceId('nas1');
  const declared = { note: 'is moved to the cellar', expectedOffline: true };
  const by = { name: 'ann', reason: null };
  stores.findings.operatorStates.declare(nas1, declared, by, { nowMs: context.nowMs });
  const { rows } = readAnswer(await text(readHistory, { resource: nas1 }));
  expect(rows[0]).toEqual([
    'declared by the operator',
    null,
    null,
    expect.objectContaining({ expectedOffline: true, note: 'is moved to the cellar' }),
  ]);
});

test('where nothing ever happened, nothing is told', async () => {
  const { text } = await openToolScene('host-is-well');
  expect(await text(readHistory, { resource: 'nas1/filesystem/srv' })).toBe(
    '0 findings, 0 events, newest first. No rows.',
  );
});
