import { expect, test } from 'vitest';
import { model, operator, patrold } from '../../findings/history-entry.ts';
import { asResourceId } from '../../signals/resource.ts';
import { sql } from '../../src/runtime/drizzle.ts';
import { shortId } from '../../src/runtime/ids.ts';
import {
  DAY_MS,
  HOUR_MS,
  kindsOf,
  NOW_MS,
  openStore,
  percent,
  reportOf,
  runAt,
  signalOf,
} from '../support/findings.ts';

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
  return 'allowed';
};

test('a signal is filed once, and seen after that, whatever its words and figures', () => {
  const { store } = openStore();
  const first = store.file(signalOf(), runAt(NOW_MS));
  expect(first).toMatchObject({
    outcome: 'opened',
    merged: false,
    finding: { state: 'active', filedBy: 'signal', detector: 'high_disk' },
  });
  const again = store.file(signalOf({ summary: '81 % used', level: percent(81) }), runAt(NOW_MS + HOUR_MS));
  expect(again).toMatchObject({ outcome: 'seen', findingId: first.findingId });
  const { finding, history, episodes, evidence } = store.details(first.findingId);
  expect(finding).toEqual(again.finding);
  expect(finding).toMatchObject({ summary: '81 % used', lastSeenAtMs: NOW_MS + HOUR_MS });
  expect(kindsOf(history)).toEqual(['opened']);
  expect(episodes).toMatchObject([{ number: 1, startedAtMs: NOW_MS, endedAtMs: null, worst: 'warning' }]);
  // What opened it, and what it stands on now.
  expect(evidence.map(({ runId }) => runId)).toEqual([`run-${NOW_MS}`, `run-${NOW_MS + HOUR_MS}`]);
});

test('a finding comes back from the database as it was written', () => {
  const { store } = openStore();
  const { finding } = store.file(
    signalOf({ details: { device: 'sda', spare: 3, asleep: false }, subject: '/srv' }),
    runAt(NOW_MS),
  );
  store.act(finding.id, { kind: 'dismiss', by: 'ann', reason: 'will_fix_later', note: 'on Monday' }, { nowMs: NOW_MS });
  const dismissed = store.find(finding.id);
  expect(dismissed).toEqual({
    ...finding,
    disposition: {
      kind: 'dismissed',
      reason: 'will_fix_later',
      by: 'ann',
      atMs: NOW_MS,
      note: 'on Monday',
      mark: { severity: 'warning', value: 80, unit: 'percent' },
      remindAtMs: NOW_MS + 7 * DAY_MS,
    },
  });
});

test('two subjects, two detectors and two resources are different problems', () => {
  const { store } = openStore();
  const signals = [
    signalOf(),
    signalOf({ subject: 'a' }),
    signalOf({ subject: 'b' }),
    signalOf({ type: 'high_cpu' }),
    signalOf({ resourceId: asResourceId('nas2') }),
  ];
  expect(new Set(store.fileBatch(signals, runAt(NOW_MS)).map(({ findingId }) => findingId)).size).toBe(5);
});

test('a thousand in a batch are a thousand, and a thousand again none more', () => {
  const { store } = openStore();
  const signals = Array.from({ length: 1200 }, (_, index) => signalOf({ subject: `s${index}` }));
  expect(store.fileBatch(signals, runAt(NOW_MS)).every(({ outcome }) => outcome === 'opened')).toBe(true);
  expect(store.fileBatch(signals, runAt(NOW_MS + 1)).every(({ outcome }) => outcome === 'seen')).toBe(true);
  expect(store.list({}).total).toBe(1200);
});

test('evidence of looks that history does not tell of is replaced by the next; what history tells of stays', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  for (const hour of [1, 2, 3])
    store.file(
      signalOf({ severity: hour === 2 ? 'critical' : 'warning', evidence: [`e${hour}`] }),
      runAt(NOW_MS + hour * HOUR_MS),
    );
  // Opened, worsened, eased (the look now). The look at hour 1 told nothing.
  expect(store.details(findingId).evidence.map(({ readingId }) => readingId)).toEqual(['e1', 'e2', 'e3']);
  expect(store.details(findingId).evidence[0]?.runId).toBe(`run-${NOW_MS}`);
});

test('evidence is bounded, and a reading that the run does not know is cited without being kept', () => {
  const { store } = openStore();
  const evidence = Array.from({ length: 40 }, (_, index) => `e${index}`);
  const { findingId, finding } = store.file(signalOf({ evidence }), { ...runAt(NOW_MS), readingOf: () => null });
  expect(finding.evidence).toMatchObject({ omitted: 8 });
  expect(finding.evidence?.ids).toHaveLength(32);
  expect(store.details(findingId).evidence).toEqual([]);
});

test('what others wrote is kept without secrets and control characters', () => {
  const { store } = openStore();
  const { findingId, finding } = store.file(
    signalOf({ summary: 'exited: \u001b[31mpassword=hunter2hunter2 \u202erefused' }),
    runAt(NOW_MS),
  );
  for (const hidden of ['hunter2', '\u001b', '\u202e']) expect(finding.summary).not.toContain(hidden);
  store.act(
    findingId,
    { kind: 'note', by: 'ann', note: 'token=ghp_0123456789abcdefghij0123456789abcdef' },
    { nowMs: NOW_MS },
  );
  expect(store.details(findingId).history.at(-1)?.reason).not.toContain('ghp_');
});

test('a return after clear is a new episode; closed by hand and still there is the same', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  const clear = { findingId, event: { kind: 'cleared', actor: patrold, reason: null } } as const;
  expect(store.apply([clear], runAt(NOW_MS + 1)).steps).toHaveLength(1);
  expect(store.file(signalOf({ severity: 'critical' }), runAt(NOW_MS + 2)).outcome).toBe('regressed');
  store.act(findingId, { kind: 'resolve', by: 'ann', note: 'done' }, { nowMs: NOW_MS + 3 });
  expect(store.open().map(({ id }) => id)).toEqual([findingId]);
  expect(store.active()).toEqual([]);
  expect(store.file(signalOf(), runAt(NOW_MS + 4)).outcome).toBe('reopened');
  expect(store.details(findingId).episodes).toMatchObject([
    { number: 1, endedAtMs: NOW_MS + 1, endedBy: 'clear', worst: 'warning' },
    { number: 2, endedAtMs: null, endedBy: null, worst: 'critical' },
  ]);
});

test('what a change is refused for is told, and stops none of the others', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  const applied = store.apply(
    [
      { findingId: 'nobody', event: { kind: 'unfolded' } },
      { findingId, event: { kind: 'cleared', actor: model('m'), reason: 'seems fine' } },
      { findingId, event: { kind: 'unobserved', code: 'timed_out', reason: 'no answer' } },
    ],
    runAt(NOW_MS),
  );
  expect(applied.refused.map(({ findingId: id }) => id)).toEqual(['nobody', findingId]);
  expect(applied.steps.map(({ entries }) => kindsOf(entries))).toEqual([['stale']]);
});

test('a report under the key of a detector is its finding; other words for a known problem are that problem', () => {
  const { store } = openStore();
  const signal = store.file(signalOf(), runAt(NOW_MS));
  const claim = store.report(
    reportOf({ key: 'high_disk', severity: 'info', summary: 'the log grows' }),
    model('m'),
    runAt(NOW_MS),
  );
  expect(claim).toMatchObject({
    findingId: signal.findingId,
    outcome: 'seen',
    merged: false,
    finding: { severity: 'warning', explanation: 'the log grows' },
  });
  const own = store.report(reportOf(), model('m'), runAt(NOW_MS));
  expect(own).toMatchObject({ outcome: 'opened', finding: { detector: null, filedBy: 'model' } });
  const reworded = store.report(
    reportOf({ key: 'snapshots_old', title: 'Old snapshots are piling up' }),
    model('m'),
    runAt(NOW_MS + 1),
  );
  expect(reworded).toMatchObject({ findingId: own.findingId, merged: true, outcome: 'seen' });
  expect(store.list({}).total).toBe(2);
});

test("a report under one detector's key is never taken for another detector's finding", () => {
  const { store } = openStore();
  store.file(signalOf({ title: 'Disk is failing', type: 'smart_failure' }), runAt(NOW_MS));
  const report = store.report(reportOf({ key: 'backup_failed', title: 'Disk is failing' }), model('m'), runAt(NOW_MS));
  expect(report).toMatchObject({ merged: false, outcome: 'opened', finding: { detector: 'backup_failed' } });
});

test('a person can report too, and a model does not change that', () => {
  const { store } = openStore();
  const mine = store.report(reportOf({ severity: 'critical' }), operator('ann'), runAt(NOW_MS));
  const told = store.report(reportOf({ severity: 'info', summary: 'harmless' }), model('m'), runAt(NOW_MS));
  expect(told.finding).toMatchObject({
    id: mine.findingId,
    filedBy: 'operator',
    severity: 'critical',
    explanation: 'harmless',
  });
});

test('ids are found by a beginning or an end, by letters that look like digits, and never by guess', () => {
  const { store } = openStore();
  const { findingId: id } = store.file(signalOf(), runAt(NOW_MS));
  const { findingId: other } = store.file(signalOf({ subject: 'b' }), runAt(NOW_MS));
  expect(store.find(shortId(id)).id).toBe(id);
  expect(store.find(` ${shortId(id).toUpperCase().replaceAll('1', 'L').replaceAll('0', 'O')} `).id).toBe(id);
  expect(store.find(id.slice(0, -1)).id).toBe(id);
  expect(refusal(() => store.find(id.slice(0, 6)))).toBe('finding_id_ambiguous');
  for (const typed of ['', '%', '____', 'zzzzzzzz', id.slice(-3), `${other}0`, "' or 1=1"])
    expect(refusal(() => store.find(typed))).toBe('finding_not_found');
});

test('a verb that is not allowed changes nothing and says why by a code', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  const before = store.details(findingId);
  const at = { nowMs: NOW_MS };
  expect(refusal(() => store.act(findingId, { kind: 'snooze', by: 'ann', untilMs: NOW_MS, note: null }, at))).toBe(
    'invalid_finding_request',
  );
  store.suppressFinding(findingId, { scope: 'key', by: 'ann', reason: null }, at);
  expect(refusal(() => store.act(findingId, { kind: 'acknowledge', by: 'ann', note: null }, at))).toBe(
    'finding_action_not_allowed',
  );
  expect(store.details(findingId).history).toHaveLength(before.history.length + 1);
});

test('a request that is repeated with its id is carried out once, and its id means nothing else', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  const note = { kind: 'note', by: 'ann', note: 'looked at it' } as const;
  const at = { nowMs: NOW_MS, requestId: 'r1' };
  for (let time = 0; time < 3; time += 1) expect(store.act(findingId, note, at).id).toBe(findingId);
  expect(kindsOf(store.details(findingId).history)).toEqual(['opened', 'noted']);
  expect(refusal(() => store.act(findingId, { ...note, note: 'other' }, at))).toBe('request_id_reused');
  // A request that was refused was not carried out: its id can be used for what comes instead.
  const wrong = { nowMs: NOW_MS, requestId: 'r2' };
  expect(refusal(() => store.act(findingId, { ...note, note: '' }, wrong))).toBe('invalid_finding_request');
  expect(store.act(findingId, note, wrong).id).toBe(findingId);
});

test('a repeated snooze "for two hours" is the same request, though its end is a little later', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  const snooze = (nowMs: number) =>
    store.act(
      findingId,
      { kind: 'snooze', by: 'ann', untilMs: nowMs + 2 * HOUR_MS, note: null },
      { nowMs, requestId: 'r1' },
    );
  snooze(NOW_MS);
  expect(snooze(NOW_MS + 1000).disposition).toMatchObject({ untilMs: NOW_MS + 2 * HOUR_MS });
});

test('time wakes what is due, and nothing else', () => {
  const { store } = openStore();
  const [a, b] = store.fileBatch([signalOf(), signalOf({ subject: 'b' })], runAt(NOW_MS));
  if (a === undefined || b === undefined) throw new Error('not filed');
  store.act(a.findingId, { kind: 'snooze', by: 'ann', untilMs: NOW_MS + HOUR_MS, note: null }, { nowMs: NOW_MS });
  store.act(b.findingId, { kind: 'dismiss', by: 'ann', reason: 'will_fix_later', note: null }, { nowMs: NOW_MS });
  expect(store.tick(NOW_MS + HOUR_MS - 1).steps).toEqual([]);
  expect(store.tick(NOW_MS + HOUR_MS).steps.map(({ finding }) => finding.id)).toEqual([a.findingId]);
  expect(store.tick(NOW_MS + HOUR_MS).steps).toEqual([]);
  expect(kindsOf(store.tick(NOW_MS + 7 * DAY_MS).steps.flatMap(({ entries }) => entries))).toEqual(['reminder']);
});

test('what follows from a loss folds under it and comes out again', () => {
  const { store } = openStore();
  const host = asResourceId('host');
  const disk = asResourceId('host/disk');
  const [cause, symptom] = store.fileBatch(
    [
      signalOf({ type: 'target_down', resourceId: host, severity: 'critical' }),
      signalOf({ type: 'target_down', resourceId: disk }),
    ],
    runAt(NOW_MS),
  );
  const common = {
    name: 'x',
    status: 'unknown',
    sourceIds: ['metrics'],
    tags: [],
    expects: [],
    facts: {},
    presence: 'observed',
  } as const;
  const resources = [
    { ...common, id: host, kind: 'host', parentId: null } as const,
    { ...common, id: disk, kind: 'disk', parentId: host } as const,
  ];
  store.refold(runAt(NOW_MS), resources);
  expect(store.find(symptom?.findingId ?? '').foldedUnder).toBe(cause?.findingId);
  store.apply(
    [{ findingId: cause?.findingId ?? '', event: { kind: 'cleared', actor: patrold, reason: null } }],
    runAt(NOW_MS + 1),
  );
  expect(store.refold(runAt(NOW_MS + 1), resources).steps.map(({ entries }) => kindsOf(entries))).toEqual([
    ['unfolded'],
  ]);
});

test('counts by sort are right after anything, and so are the totals of a list', () => {
  const { store, db } = openStore();
  const [a, b] = store.fileBatch(
    [
      signalOf(),
      signalOf({ subject: 'b', severity: 'critical' }),
      signalOf({ type: 'high_cpu', category: 'performance' }),
    ],
    runAt(NOW_MS),
  );
  store.act(a?.findingId ?? '', { kind: 'acknowledge', by: 'ann', note: null }, { nowMs: NOW_MS });
  store.apply([{ findingId: b?.findingId ?? '', event: { kind: 'gone', reason: 'removed' } }], runAt(NOW_MS));
  store.file(signalOf({ type: 'high_cpu', category: 'performance', severity: 'critical' }), runAt(NOW_MS + 1));
  expect(store.counts().filter(({ count }) => count > 0)).toEqual([
    { state: 'active', severity: 'warning', disposition: 'acknowledged', count: 1 },
    { state: 'active', severity: 'critical', disposition: 'none', count: 1 },
    { state: 'resolved', severity: 'critical', disposition: 'none', count: 1 },
  ]);
  const counted = db.orm.all(
    sql`select state, severity_rank, disposition, category, count(*) as count from findings group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  );
  const kept = db.orm.all(
    sql`select state, severity_rank, disposition, category, count from finding_counts where count <> 0 order by 1, 2, 3, 4`,
  );
  expect(kept).toEqual(counted);
  expect(store.list({ state: 'all' })).toMatchObject({
    total: 3,
    bySeverity: { warning: 1, critical: 2, info: 0, watch: 0 },
  });
});

test('history is read page by page, of one finding and of all', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  store.file(signalOf({ subject: 'b' }), runAt(NOW_MS));
  for (let index = 0; index < 5; index += 1)
    store.act(findingId, { kind: 'note', by: 'ann', note: `note ${index}` }, { nowMs: NOW_MS + index });
  const first = store.historyOf(findingId, 0, 2);
  expect(kindsOf(first)).toEqual(['opened', 'noted']);
  expect(store.historyOf(findingId, first.at(-1)?.seq ?? 0, 100)).toHaveLength(4);
  expect(store.historySince(0, 3)).toHaveLength(3);
  expect(store.historySince(store.historySince(0, 3).at(-1)?.seq ?? 0, 100)).toHaveLength(4);
});
