import { expect, test } from 'vitest';
import { operator } from '../../findings/history-entry.ts';
import { asResourceId } from '../../signals/resource.ts';
import { patrolReportFinding } from '../../src/tools/patrol-report-finding.ts';
import { patrolResolveFinding } from '../../src/tools/patrol-resolve-finding.ts';
import { openToolScene, type ToolScene } from '../support/tool-scene.ts';

const SRV = 'nas1/filesystem/srv';
const evidenceOf = ({ context }: ToolScene, resource: string): string =>
  context.ledger.readings.find(({ resourceId }) => resourceId === resource)?.id ?? '';

/** Of the same world, as a run an hour later would have it. */
const later = ({ context }: ToolScene) => ({ nowMs: context.nowMs + 3_600_000, runId: 'the-next-run' });

const report = (scene: ToolScene, more: object = {}) => ({
  resource: SRV,
  key: 'media_library_grows',
  severity: 'watch',
  category: 'capacity',
  title: 'Media library grows by itself',
  summary: 'It has grown since the last run.',
  evidence: [evidenceOf(scene, SRV)],
  ...more,
});

test('a model closes what no detector rules, with a reason and evidence, in another run than saw it', async () => {
  const scene = await openToolScene('host-is-well');
  await scene.text(patrolReportFinding, report(scene));
  const [filed] = scene.stores.findings.active();
  const asked = { finding: filed?.id, reason: 'it is as it was a week ago', evidence: [evidenceOf(scene, SRV)] };
  expect(await scene.code(patrolResolveFinding, asked)).toBe('finding_action_not_allowed');
  expect(await scene.text(patrolResolveFinding, asked, later(scene))).toBe(`Resolved ${filed?.id.slice(-8)}.`);
  expect(scene.stores.findings.find(filed?.id ?? '')).toMatchObject({ state: 'resolved', resolution: { by: 'model' } });
  expect(await scene.code(patrolResolveFinding, asked)).toBe('finding_action_not_allowed');
});

test('what a detector rules ends by its verdict alone', async () => {
  const scene = await openToolScene('compound-bad-day');
  const { stores } = scene;
  for (const finding of stores.findings.active()) {
    const asked = {
      finding: finding.id,
      reason: 'all is well again',
      evidence: [evidenceOf(scene, finding.resourceId)],
    };
    expect(await scene.code(patrolResolveFinding, asked)).toBe('finding_action_not_allowed');
  }
  expect(stores.findings.active()).toHaveLength(3);
});

test('what a person filed, a person closes', async () => {
  const scene = await openToolScene('host-is-well');
  const { stores, context } = scene;
  const filed = stores.findings.report(
    { ...report(scene), resourceId: asResourceId(SRV), category: 'capacity', severity: 'watch', sourceIds: [] },
    operator('ann'),
    { nowMs: context.nowMs, runId: null, readingOf: () => null },
  );
  const asked = { finding: filed.findingId, reason: 'all is well again', evidence: [evidenceOf(scene, SRV)] };
  expect(await scene.code(patrolResolveFinding, asked)).toBe('finding_action_not_allowed');
});

test('what was seen in a log is not closed by a reading that has nothing to do with it', async () => {
  const scene = await openToolScene('host-is-well');
  const { stores, context } = scene;
  const look = {
    kind: 'log',
    resourceId: asResourceId('nas1'),
    sourceId: 'nas',
    takenAtMs: context.nowMs,
    shows: [],
  } as const;
  const id = context.evidence.note(look) ?? '';
  const asked = report(scene, {
    resource: 'nas1',
    key: 'password_guessing',
    title: 'Somebody guesses passwords',
    evidence: [id],
  });
  await scene.text(patrolReportFinding, asked);
  const [filed] = stores.findings.active();
  const resolve = { finding: filed?.id, reason: 'a tag says that it is fine', evidence: [evidenceOf(scene, 'nas1')] };
  expect(await scene.call(patrolResolveFinding, resolve, later(scene))).toMatchObject({
    kind: 'error',
    error: { code: 'invalid_finding_request' },
  });
  expect(stores.findings.active()).toHaveLength(1);
});

test('evidence has to be of this run, and of its resource', async () => {
  const scene = await openToolScene('host-is-well');
  await scene.text(patrolReportFinding, report(scene));
  const [filed] = scene.stores.findings.active();
  const asked = { finding: filed?.id, reason: 'all is well again' };
  const code = async (more: object): Promise<string> => {
    const outcome = await scene.call(patrolResolveFinding, { ...asked, ...more }, later(scene));
    return outcome.kind === 'error' ? outcome.error.code : outcome.text;
  };
  expect(await code({ evidence: ['e0'] })).toBe('evidence_not_found');
  const elsewhere = [evidenceOf(scene, 'nas1/filesystem/root')];
  expect(await code({ evidence: elsewhere })).toBe('evidence_elsewhere');
  expect(await scene.code(patrolResolveFinding, { ...asked, finding: 'none', evidence: elsewhere })).toBe(
    'finding_not_found',
  );
});

test('what a detector sees on fresh evidence is not closed, under whatever key it was filed', async () => {
  const scene = await openToolScene('compound-bad-day', { runsBefore: 0 });
  const { stores, context } = scene;
  const resourceId = asResourceId('nas1/array/md0');
  const filed = stores.findings.report(
    {
      ...report(scene),
      resourceId,
      key: 'md0_mirror',
      title: 'RAID mirror is degraded',
      category: 'reliability',
      severity: 'warning',
      sourceIds: [],
    },
    context.actor,
    { nowMs: context.nowMs, runId: null, readingOf: () => null },
  );
  const asked = {
    finding: filed.findingId,
    reason: 'the label says that it is repaired',
    evidence: [evidenceOf(scene, resourceId)],
  };
  const outcome = await scene.call(patrolResolveFinding, asked, later(scene));
  expect(outcome).toMatchObject({ kind: 'error', error: { code: 'claim_contradicted' } });
  expect(stores.findings.find(filed.findingId).state).toBe('active');
});
