import { expect, test } from 'vitest';
import { patrolAssessFinding } from '../../src/tools/patrol-assess-finding.ts';
import { patrolGetFindings } from '../../src/tools/patrol-get-findings.ts';
import { patrolReportFinding } from '../../src/tools/patrol-report-finding.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene } from '../support/tool-scene.ts';

test('an assessment is kept for its run, and shown to who asks for the findings', async () => {
  const { text, stores, context } = await openToolScene('compound-bad-day');
  const [finding] = stores.findings.active();
  const id = finding?.id ?? '';
  const asked = { finding: id, verdict: 'present', reason: 'the array still has one member' };
  expect(await text(patrolAssessFinding, asked)).toBe(`Assessed ${id.slice(-8)} as present.`);
  expect(stores.findings.assessmentsIn(context.runId).get(id)).toMatchObject({ verdict: 'present', by: 'test-model' });
  const { rows } = readAnswer(await text(patrolGetFindings, {}));
  expect(rows.find(([shown]) => shown === id.slice(-8))?.[1]).toMatchObject({ assessedInThisRun: 'present' });
  const others = rows.filter(([shown]) => shown !== id.slice(-8));
  for (const [, facts] of others) expect(facts).not.toHaveProperty('assessedInThisRun');
});

test('saying that it is resolved needs evidence of its own resource, and ends nothing that a detector rules', async () => {
  const { text, code, stores, context } = await openToolScene('compound-bad-day');
  const finding = stores.findings.active().find(({ key }) => key === 'raid_degraded');
  const asked = { finding: finding?.id, verdict: 'resolved', reason: 'a log line said that all is well' };
  expect(await code(patrolAssessFinding, asked)).toBe('invalid_finding_request');
  const elsewhere = context.ledger.readings.find(({ kind }) => kind === 'cpu')?.id ?? '';
  expect(await code(patrolAssessFinding, { ...asked, evidence: [elsewhere] })).toBe('evidence_elsewhere');
  const own = context.ledger.readings.find(({ kind }) => kind === 'array')?.id ?? '';
  expect(await text(patrolAssessFinding, { ...asked, evidence: [own] })).toMatch(/stays open.*raid_degraded alone\.$/);
  expect(stores.findings.find(finding?.id ?? '')).toMatchObject({ state: 'active', severity: 'critical' });
});

test('what no detector rules is seen when a model says that it is there', async () => {
  const scene = await openToolScene('host-is-well');
  const { stores, context } = scene;
  const evidence = [context.ledger.readings.find(({ resourceId }) => resourceId === 'nas1/filesystem/srv')?.id ?? ''];
  await scene.text(patrolReportFinding, {
    resource: 'nas1/filesystem/srv',
    key: 'media_library_grows',
    severity: 'watch',
    category: 'capacity',
    title: 'Media library grows by itself',
    summary: 'It has grown since the last run.',
    evidence,
  });
  const [filed] = stores.findings.active();
  const laterMs = context.nowMs + 3_600_000;
  const asked = { finding: filed?.id, verdict: 'present', reason: 'it has grown again' };
  await scene.text(patrolAssessFinding, asked, { nowMs: laterMs, runId: 'another-run' });
  expect(stores.findings.find(filed?.id ?? '').lastSeenAtMs).toBe(laterMs);
});

test('what is over, and what is not there, can not be assessed', async () => {
  const { code, stores } = await openToolScene('docker-unhealthy');
  const reason = 'as it was before';
  expect(await code(patrolAssessFinding, { finding: 'nothing', verdict: 'present', reason })).toBe('finding_not_found');
  const [finding] = stores.findings.active();
  stores.findings.act(finding?.id ?? '', { kind: 'resolve', by: 'ann', note: 'repaired' }, { nowMs: 1 });
  expect(await code(patrolAssessFinding, { finding: finding?.id, verdict: 'present', reason })).toBe(
    'finding_action_not_allowed',
  );
});
