import { expect, test } from 'vitest';
import { listWorkloads } from '../../src/tools/list-workloads.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene } from '../support/tool-scene.ts';

test.each([
  ['docker-unhealthy', 2, 'containers', { health: 'unhealthy', lastProbe: 'connection refused' }],
  ['docker-cannot-start', 1, 'containers', { startError: expect.any(String) }],
  ['host-unit-failed', 1, 'services', { state: 'failed (failed)', result: 'exit-code' }],
  ['prometheus-target-down', 1, 'checks', { up: false }],
  ['host-oom-kill', 0, 'machines', { kills: 1 }],
  ['host-bond-degraded', 1, 'machines', { members: expect.arrayContaining([expect.stringMatching(/ down$/)]) }],
] as const)('%s is seen at the top of its list', async (scenario, runsBefore, what, facts) => {
  const { text } = await openToolScene(scenario, { runsBefore });
  expect(readAnswer(await text(listWorkloads, { what })).rows[0]?.[3]).toMatchObject(facts);
});

test('a source that does not answer is seen among the machines', async () => {
  const { text } = await openToolScene('sources-engine-silent', { runsBefore: 2 });
  const { rows } = readAnswer(await text(listWorkloads, { what: 'machines' }));
  expect(rows[0]?.[3]).toMatchObject({ outcome: 'failed', reason: expect.any(String) });
});
