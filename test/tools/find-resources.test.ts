import { expect, test } from 'vitest';
import { findResources } from '../../src/tools/find-resources.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene } from '../support/tool-scene.ts';

const idsOf = (text: string): readonly unknown[] => readAnswer(text).rows.map(([id]) => id);

test('resources are found by text, kind, status and what they are under', async () => {
  const { text } = await openToolScene('compound-bad-day');
  expect(idsOf(await text(findResources, { text: 'SRV' }))).toEqual(['nas1/filesystem/srv']);
  expect(idsOf(await text(findResources, { kind: 'array' }))).toEqual(['nas1/array/md0']);
  expect(idsOf(await text(findResources, { status: 'failed' }))).toEqual(['nas1/service/mnt-scans.mount']);
  const under = idsOf(await text(findResources, { under: 'nas1', kind: 'host' }));
  expect(under).toEqual(['nas1']);
  expect(await text(findResources, { text: 'no such thing' })).toBe('0 of 20 resources. No rows.');
});

test('names are enough where only one thing has them, and what is not there is refused with what comes near', async () => {
  const { context, call, text } = await openToolScene('compound-bad-day');
  expect(idsOf(await text(findResources, { under: '/srv' }))).toEqual(['nas1/filesystem/srv']);
  expect(await call(findResources, { under: 'nas1/filesystem/srv2' })).toMatchObject({
    kind: 'error',
    error: { code: 'resource_not_found', details: { near: [] } },
  });
  expect(await call(findResources, { under: 'nas9/service/docker' })).toMatchObject({
    error: { details: { near: ['nas1/service/docker.service'] } },
  });
  expect(context.resources.find('')).toMatchObject({ kind: 'none' });
});

test('what the run could not see is said to be not seen, whatever it was before', async () => {
  const { text } = await openToolScene('compound-source-lost', { runsBefore: 1 });
  const { rows } = readAnswer(await text(findResources, {}));
  expect(rows.some(([, , status]) => status === 'not seen in this run')).toBe(true);
});
