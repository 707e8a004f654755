import { expect, test } from 'vitest';
import { patrold } from '../../../findings/history-entry.ts';
import { defaultRetention } from '../../../findings/retention.ts';
import type { FindingStore } from '../../../findings/store.ts';
import { asResourceId } from '../../../signals/resource.ts';
import type { Database } from '../../../src/runtime/database.ts';
import { sql } from '../../../src/runtime/drizzle.ts';
import { DAY_MS, kindsOf, NOW_MS, openStore, runAt, signalOf } from '../../support/findings.ts';

const clear = (store: FindingStore, findingId: string, nowMs: number): void => {
  store.apply([{ findingId, event: { kind: 'cleared', actor: patrold, reason: null } }], runAt(nowMs));
};
const rowsOf = (db: Database) =>
  Object.fromEntries(
    ['findings', 'finding_history', 'episodes', 'evidence', 'finding_aliases', 'history_pruning'].map((table) => [
      table,
      db.orm.get<{ n: number }>(sql`select count(*) as n from ${sql.identifier(table)}`).n,
    ]),
  );
/** Day by day, as a daemon does it. */
const pruneDaily = (store: FindingStore, fromMs: number, toMs: number) => {
  let last = store.prune(fromMs);
  for (let atMs = fromMs + DAY_MS; atMs <= toMs; atMs += DAY_MS) last = store.prune(atMs);
  return last;
};

test('what was over for longer than it is kept goes with everything that belongs to it', () => {
  const { store, db } = openStore();
  const old = store.file(signalOf(), runAt(NOW_MS)).findingId;
  clear(store, old, NOW_MS);
  const recent = store.file(signalOf({ subject: 'b' }), runAt(NOW_MS)).findingId;
  clear(store, recent, NOW_MS + 30 * DAY_MS);
  const active = store.file(signalOf({ subject: 'c' }), runAt(NOW_MS)).findingId;
  pruneDaily(store, NOW_MS, NOW_MS + 90 * DAY_MS);
  expect(store.list({ state: 'all' }).total).toBe(3);
  expect(store.prune(NOW_MS + 91 * DAY_MS)).toEqual({ findings: 1, episodes: 0, more: false, skipped: null });
  expect(() => store.find(old)).toThrow(expect.objectContaining({ code: 'finding_not_found' }));
  expect([recent, active].map((id) => store.find(id).id)).toEqual([recent, active]);
  expect(rowsOf(db)).toEqual({
    findings: 2,
    finding_history: 3,
    episodes: 2,
    evidence: 2,
    finding_aliases: 0,
    history_pruning: 0,
  });
  expect(store.list({ state: 'resolved' }).total).toBe(1);
});

test('a finding that goes on loses its old episodes, not what it is, nor how often it came back', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  clear(store, findingId, NOW_MS + DAY_MS);
  store.file(signalOf({ severity: 'critical' }), runAt(NOW_MS + 100 * DAY_MS));
  store.act(findingId, { kind: 'note', by: 'ann', note: 'again' }, { nowMs: NOW_MS + 101 * DAY_MS });
  store.prune(NOW_MS + 101 * DAY_MS);
  expect(store.prune(NOW_MS + 102 * DAY_MS)).toMatchObject({ findings: 0, episodes: 0 });
  const { finding, history, episodes, evidence } = store.details(findingId);
  expect(finding).toMatchObject({ state: 'active', episode: 2, regressions: 1, firstSeenAtMs: NOW_MS });
  expect(kindsOf(history)).toEqual(['regressed', 'noted']);
  expect(episodes.map(({ number }) => number)).toEqual([2]);
  expect(evidence.map(({ runId }) => runId)).toEqual([`run-${NOW_MS + 100 * DAY_MS}`]);
});

test('what was merged into a finding goes with it', () => {
  const { store, db } = openStore();
  const into = asResourceId('b');
  const { findingId } = store.file(signalOf({ resourceId: asResourceId('a') }), runAt(NOW_MS));
  store.file(signalOf({ resourceId: into }), runAt(NOW_MS + 1));
  store.renameResource(asResourceId('a'), into, runAt(NOW_MS + 2));
  clear(store, findingId, NOW_MS + 3);
  pruneDaily(store, NOW_MS + 89 * DAY_MS, NOW_MS + 92 * DAY_MS);
  expect(rowsOf(db)).toEqual({
    findings: 0,
    finding_history: 0,
    episodes: 0,
    evidence: 0,
    finding_aliases: 0,
    history_pruning: 0,
  });
});

test('a pass is bounded, says that there is more, and the next goes on', () => {
  const { store } = openStore();
  const filed = store.fileBatch(
    Array.from({ length: 5 }, (_, index) => signalOf({ subject: `${index}` })),
    runAt(NOW_MS),
  );
  for (const { findingId } of filed) clear(store, findingId, NOW_MS);
  const limits = { ...defaultRetention, keepResolvedMs: 0, maxPerPass: 2 };
  expect([1, 2, 3].map((minute) => store.prune(NOW_MS + minute, limits))).toMatchObject([
    { findings: 2, more: true },
    { findings: 2, more: true },
    { findings: 1, more: false },
  ]);
});

test('a clock that jumps ahead forgets nothing in its first pass, nor when it jumps back', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  clear(store, findingId, NOW_MS);
  store.prune(NOW_MS);
  expect(store.prune(NOW_MS + 3650 * DAY_MS)).toMatchObject({
    findings: 0,
    skipped: expect.stringMatching(/clock moved/),
  });
  expect(store.prune(NOW_MS + DAY_MS)).toMatchObject({ findings: 0, skipped: expect.stringMatching(/clock moved/) });
  expect(store.prune(NOW_MS + 2 * DAY_MS)).toMatchObject({ findings: 0, skipped: null });
  expect(store.find(findingId).id).toBe(findingId);
});

test('requests and removed rules are forgotten in their time', () => {
  const { store, db } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  store.act(findingId, { kind: 'note', by: 'ann', note: 'x' }, { nowMs: NOW_MS, requestId: 'r1' });
  const rule = store.suppressFinding(findingId, { scope: 'key', by: 'ann', reason: null }, { nowMs: NOW_MS });
  store.removeSuppression(rule.id, 'ann', { nowMs: NOW_MS });
  const left = () =>
    [sql`finding_requests`, sql`suppressions`].map(
      (table) => db.orm.get<{ n: number }>(sql`select count(*) as n from ${table}`).n,
    );
  store.prune(NOW_MS + DAY_MS);
  expect(left()).toEqual([1, 1]);
  pruneDaily(store, NOW_MS + DAY_MS, NOW_MS + 8 * DAY_MS);
  expect(left()).toEqual([0, 1]);
  pruneDaily(store, NOW_MS + 8 * DAY_MS, NOW_MS + 91 * DAY_MS);
  expect(left()).toEqual([0, 0]);
});
