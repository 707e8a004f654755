import { describe, expect, test } from 'vitest';
import { OWN_FINDINGS_A_RUN, patrolReportFinding } from '../../src/tools/patrol-report-finding.ts';
import { readLogs } from '../../src/tools/read-logs.ts';
import { openToolScene, type ToolScene } from '../support/tool-scene.ts';

const SRV = 'nas1/filesystem/srv';
const ROOT = 'nas1/filesystem/root';

const evidenceOf = ({ context }: ToolScene, resource: string, kind: string): string => {
  const found = context.ledger.readings.find((one) => one.resourceId === resource && one.kind === kind);
  if (found === undefined) throw new Error(`${resource} has no ${kind}`);
  return found.id;
};

const claim = (scene: ToolScene, more: object = {}) => ({
  resource: SRV,
  key: 'media_library_grows',
  severity: 'watch',
  category: 'capacity',
  title: 'Media library grows by itself',
  summary: 'It has grown since the last run without an import.',
  evidence: [evidenceOf(scene, SRV, 'filesystem')],
  ...more,
});

const space = { sizeBytes: 300_000_000_000, freeBytes: 150_000_000_000, availableBytes: 150_000_000_000 };
const EMPTY_AGAIN = { nas: { machine: { space: { '/': space } } } };

const well = () => openToolScene('host-is-well');

test('what no detector judges is filed as it was said, by the model, with the evidence that it stands on', async () => {
  const scene = await well();
  const text = await scene.text(patrolReportFinding, claim(scene));
  const [finding] = scene.stores.findings.active();
  expect(text).toBe(`Filed as finding ${finding?.id.slice(-8)}, watch.`);
  expect(finding).toMatchObject({ filedBy: 'model', detector: null, key: 'media_library_grows', severity: 'watch' });
  const { evidence, history } = scene.stores.findings.details(finding?.id ?? '');
  expect(evidence).toMatchObject([{ runId: 'run-of-the-scene', kind: 'filesystem' }]);
  expect(history[0]?.actor).toEqual({ kind: 'model', name: 'test-model' });
  expect(scene.filed).toMatchObject([{ outcome: 'opened', key: 'media_library_grows' }]);
});

describe('a claim needs a resource and evidence', () => {
  test.each([
    ['a resource that is not in the inventory', { resource: 'nas9' }, 'resource_not_found'],
    ['evidence that nobody has seen', { evidence: ['e99999'] }, 'evidence_not_found'],
    ['evidence of an earlier run', { evidence: ['x00000000'] }, 'evidence_not_found'],
    ['evidence of another resource', { resource: ROOT }, 'evidence_elsewhere'],
    ['evidence of what is below it alone', { resource: 'nas1' }, 'evidence_elsewhere'],
  ])('%s', async (_what, more, code) => {
    const scene = await well();
    expect(await scene.code(patrolReportFinding, claim(scene, more))).toBe(code);
    expect(scene.stores.findings.active()).toEqual([]);
  });

  test('none at all is no claim', async () => {
    const scene = await well();
    expect(() => patrolReportFinding.input.parse(claim(scene, { evidence: [] }))).toThrow();
  });

  test('evidence of what it is on may stand beside its own', async () => {
    const scene = await well();
    const evidence = [evidenceOf(scene, SRV, 'filesystem'), evidenceOf(scene, 'nas1', 'cpu')];
    expect(await scene.text(patrolReportFinding, claim(scene, { evidence }))).toMatch(/^Filed/);
  });
});

describe('a claim that a verdict contradicts is refused with the readings that do', () => {
  test.each([
    ['under the key of the detector', { key: 'high_disk', severity: 'critical' }],
    ['naming the detector', { about: 'high_disk', severity: 'info' }],
    ['in the words of the detector', { key: 'space_low', title: 'Space is running out', severity: 'info' }],
    ['in other words, on the same readings', { key: 'trouble', title: 'This looks bad', severity: 'warning' }],
    ['though it is said to be about none', { about: 'none', title: 'Read-only filesystem', severity: 'warning' }],
  ])('%s', async (_what, more) => {
    const scene = await well();
    const evidence = [evidenceOf(scene, ROOT, 'filesystem')];
    const outcome = await scene.call(patrolReportFinding, claim(scene, { resource: ROOT, evidence, ...more }));
    expect(outcome).toMatchObject({
      kind: 'error',
      error: {
        code: 'claim_contradicted',
        recoverable: true,
        details: { evidence: expect.arrayContaining([expect.objectContaining({ kind: 'filesystem' })]) },
      },
    });
    expect(scene.stores.findings.active()).toEqual([]);
  });

  test.each([
    ['CPU use that has not lasted', 'nas1', 'cpu', { key: 'cpu_busy', title: 'CPU is busy' }],
    ['what a detector can not tell yet', SRV, 'filesystem', { key: 'high_disk', title: 'Space is running out' }],
  ])('%s is no finding yet: its detector looks again by itself', async (_what, resource, kind, words) => {
    const scene = await well();
    const asked = claim(scene, {
      resource,
      evidence: [evidenceOf(scene, resource, kind)],
      severity: 'critical',
      ...words,
    });
    expect(await scene.code(patrolReportFinding, asked)).toBe('claim_premature');
    expect(scene.stores.findings.active()).toEqual([]);
  });

  test('a detector that does not judge the thing can not be claimed for', async () => {
    const scene = await well();
    expect(await scene.code(patrolReportFinding, claim(scene, { key: 'smart_failure' }))).toBe(
      'invalid_finding_request',
    );
    expect(await scene.code(patrolReportFinding, claim(scene, { about: 'thin_pool_full' }))).toBe(
      'invalid_finding_request',
    );
  });

  test('what is over by the verdict of a detector is not brought back by other words for it', async () => {
    const scene = await openToolScene('host-disk-full', { runsBefore: 5, sees: EMPTY_AGAIN });
    const { stores } = scene;
    await scene.patrol();
    const [over] = stores.findings.list({ state: 'resolved', key: 'high_disk' }).findings;
    expect(over).toBeDefined();
    const resource = over?.resourceId ?? '';
    const evidence = [evidenceOf(scene, resource, 'filesystem')];
    const asked = claim(scene, {
      resource,
      key: 'space-running-out',
      title: over?.title,
      evidence,
      severity: 'critical',
    });
    expect(await scene.code(patrolReportFinding, asked)).toBe('claim_contradicted');
    expect(stores.findings.active()).toEqual([]);
  });
});

describe('a claim about what a detector raised becomes that very finding', () => {
  const bad = () => openToolScene('compound-bad-day', { runsBefore: 0 });
  const array = (scene: ToolScene, more: object = {}) =>
    claim(scene, {
      resource: 'nas1/array/md0',
      key: 'md0-lost-a-disk',
      severity: 'info',
      category: 'general',
      title: 'md0 lost a disk',
      summary: 'One of two members is missing since this morning; there is no redundancy left.',
      evidence: [evidenceOf(scene, 'nas1/array/md0', 'array')],
      ...more,
    });

  test.each([
    ['in words of its own', {}],
    ['naming the detector', { about: 'raid_degraded' }],
    ['under its key', { key: 'raid_degraded' }],
    ['with a severity too high', { severity: 'critical' }],
    ['with a severity too low', { severity: 'info' }],
  ])('%s, with the severity of the data', async (_what, more) => {
    const scene = await bad();
    await scene.text(patrolReportFinding, array(scene, more));
    const [filed] = scene.stores.findings.active();
    expect(filed).toMatchObject({
      key: 'raid_degraded',
      detector: 'raid_degraded',
      filedBy: 'model',
      severity: 'critical',
    });
    await scene.patrol();
    const after = scene.stores.findings.active().filter(({ resourceId }) => resourceId === 'nas1/array/md0');
    expect(after).toMatchObject([
      {
        id: filed?.id,
        filedBy: 'model',
        severity: 'critical',
        episode: 1,
        explanation: 'One of two members is missing since this morning; there is no redundancy left.',
      },
    ]);
    expect(after[0]?.lastSignalAtMs).not.toBeNull();
  });

  test('what is known already returns its id, and keeps what the data says', async () => {
    const scene = await openToolScene('compound-bad-day');
    const known = scene.stores.findings.active().find(({ key }) => key === 'raid_degraded');
    const text = await scene.text(patrolReportFinding, array(scene, { severity: 'info' }));
    expect(text).toMatch(new RegExp(`^This is the known finding ${known?.id.slice(-8)}, critical`));
    expect(scene.stores.findings.find(known?.id ?? '')).toMatchObject({
      summary: known?.summary,
      severity: 'critical',
      explanation: expect.stringMatching(/no redundancy left/),
    });
  });
});

describe('what a model said before', () => {
  test('in other words returns the same finding, and makes it no better', async () => {
    const scene = await well();
    await scene.text(patrolReportFinding, claim(scene));
    const again = claim(scene, { key: 'media-library-grows', title: 'The media library grows', severity: 'info' });
    expect(await scene.text(patrolReportFinding, again)).toMatch(/^This is the known finding \w+, watch \(seen\)/);
    expect(scene.stores.findings.active()).toHaveLength(1);
  });

  test('and says again beside it in one turn is one finding', async () => {
    const scene = await well();
    const asked = [claim(scene), claim(scene, { key: 'media-library-grows' }), claim(scene)];
    await Promise.all(asked.map((one) => scene.text(patrolReportFinding, one)));
    expect(scene.stores.findings.active()).toHaveLength(1);
    expect(scene.filed.map(({ outcome }) => outcome)).toEqual(['opened', 'seen', 'seen']);
  });

  test('and an operator decided about keeps the decision', async () => {
    const scene = await well();
    const { stores, context } = scene;
    await scene.text(patrolReportFinding, claim(scene));
    const [filed] = stores.findings.active();
    const dismiss = { kind: 'dismiss', by: 'ann', reason: 'expected_behavior', note: null } as const;
    stores.findings.act(filed?.id ?? '', dismiss, { nowMs: context.nowMs });
    expect(await scene.text(patrolReportFinding, claim(scene))).toMatch(/The operator has dismissed it; that holds\.$/);
    expect(stores.findings.find(filed?.id ?? '').disposition.kind).toBe('dismissed');
  });
});

test('so many problems of its own a model may add in a run; what is known, and what a detector raised, is not counted', async () => {
  const scene = await openToolScene('compound-bad-day', { runsBefore: 0 });
  const own = (index: number) =>
    claim(scene, { key: `leak-in-pipe-${index}x`, title: `Leak in pipe ${index}x`, summary: 'It drips on the floor.' });
  for (let index = 0; index < OWN_FINDINGS_A_RUN; index += 1)
    expect(await scene.text(patrolReportFinding, own(index))).toMatch(/^Filed/);
  expect(await scene.code(patrolReportFinding, own(99))).toBe('too_many_findings');
  expect(await scene.text(patrolReportFinding, own(3))).toMatch(/^This is the known finding/);
  const evidence = [evidenceOf(scene, 'nas1/array/md0', 'array')];
  const raised = claim(scene, { resource: 'nas1/array/md0', key: 'md0', title: 'md0 is degraded', evidence });
  expect(await scene.text(patrolReportFinding, raised)).toMatch(/^Filed/);
});

test('lines of a log are evidence, and stay with the finding that cites them', async () => {
  const MESSAGE = 'authentication failure for user admin from 192.0.2.7';
  const line = JSON.stringify({ __REALTIME_TIMESTAMP: String(Date.UTC(2026, 2, 2, 11) * 1_000), MESSAGE });
  const command =
    'journalctl --no-pager --output=json --output-fields=MESSAGE,SYSLOG_IDENTIFIER --unit=ssh.service --lines=501 --until=@*';
  const scene = await openToolScene('host-is-well', { sees: { nas: { commands: { [command]: line } } } });
  const resource = 'nas1/service/ssh.service';
  const read = await scene.call(readLogs, { resource });
  const evidence = read.kind === 'ok' ? read.evidence : [];
  const asked = claim(scene, {
    resource,
    key: 'guessed_passwords',
    title: 'Somebody guesses passwords',
    severity: 'warning',
    category: 'security',
    evidence,
  });
  expect(await scene.text(patrolReportFinding, asked)).toMatch(/^Filed/);
  const [filed] = scene.stores.findings.active();
  const [cited] = scene.stores.findings.details(filed?.id ?? '').evidence;
  expect(cited).toMatchObject({ kind: 'log', readingId: evidence[0], body: expect.stringContaining(MESSAGE) });
});
