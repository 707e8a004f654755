import { expect, test } from 'vitest';
import { patrold } from '../../../findings/history-entry.ts';
import { asResourceId } from '../../../signals/resource.ts';
import { sql } from '../../../src/runtime/drizzle.ts';
import { DAY_MS, HOUR_MS, kindsOf, NOW_MS, openStore, runAt, signalOf } from '../../support/findings.ts';

const from = asResourceId('nas-old');
const into = asResourceId('nas');
const later = runAt(NOW_MS + DAY_MS);
const at = { nowMs: NOW_MS };

test('a finding moves with its history, its episode, its decision and its id', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf({ resourceId: from }), runAt(NOW_MS));
  store.act(findingId, { kind: 'acknowledge', by: 'ann', note: null }, at);
  store.renameResource(from, into, later);
  const { finding, history, episodes } = store.details(findingId);
  expect(finding).toMatchObject({ resourceId: into, disposition: { kind: 'acknowledged' }, episode: 1 });
  expect(history.at(-1)).toMatchObject({ kind: 'moved', data: { from, into } });
  expect(episodes).toHaveLength(1);
  // The next look sees the same problem under the new name.
  expect(store.file(signalOf({ resourceId: into }), later)).toMatchObject({ findingId, outcome: 'seen' });
});

test('two findings about one problem become the older one; the other id leads there, with all its history', () => {
  const { store } = openStore();
  const younger = store.file(signalOf({ resourceId: into, severity: 'critical' }), runAt(NOW_MS + HOUR_MS)).findingId;
  const older = store.file(signalOf({ resourceId: from }), runAt(NOW_MS)).findingId;
  store.act(younger, { kind: 'note', by: 'ann', note: 'on the new name' }, at);
  store.renameResource(from, into, later);
  expect(store.active().map(({ id }) => id)).toEqual([older]);
  const details = store.details(younger);
  expect(details.finding).toMatchObject({ id: older, resourceId: into, severity: 'critical' });
  expect(kindsOf(details.history)).toEqual(['opened', 'opened', 'noted', 'merged', 'merged']);
  expect(details.episodes).toMatchObject([
    { findingId: older, endedAtMs: null },
    { findingId: younger, endedBy: 'merged' },
  ]);
  expect(details.evidence.map(({ findingId }) => findingId).toSorted()).toEqual([older, younger].toSorted());
  expect(store.act(younger, { kind: 'note', by: 'ann', note: 'still here' }, at).id).toBe(older);
  expect(store.file(signalOf({ resourceId: into }), later).findingId).toBe(older);
});

test('merges of merges lead to the one that is left', () => {
  const { store } = openStore();
  const names = ['a', 'b', 'c'].map(asResourceId);
  const ids = names.map(
    (resourceId, index) => store.file(signalOf({ resourceId }), runAt(NOW_MS + 2 - index)).findingId,
  );
  store.renameResource(names[0] ?? from, names[1] ?? into, later);
  store.renameResource(names[1] ?? from, names[2] ?? into, later);
  expect(new Set(ids.map((id) => store.find(id).id))).toEqual(new Set([ids[2]]));
  expect(store.details(ids[0] ?? '').history.filter(({ kind }) => kind === 'opened')).toHaveLength(3);
});

test('the older one was over: the problem goes on as its next episode, and one episode is open', () => {
  const { store, db } = openStore();
  const older = store.file(signalOf({ resourceId: into }), runAt(NOW_MS)).findingId;
  store.apply([{ findingId: older, event: { kind: 'cleared', actor: patrold, reason: null } }], runAt(NOW_MS + 1));
  store.file(signalOf({ resourceId: from }), runAt(NOW_MS + HOUR_MS));
  store.renameResource(from, into, later);
  expect(store.active()).toMatchObject([{ id: older, state: 'active', episode: 2, regressions: 1 }]);
  const open = db.orm.all<{ n: number }>(sql`select count(*) as n from episodes where ended_at_ms is null`);
  expect(open).toEqual([{ n: 1 }]);
});

test('what folded under the one that was swallowed folds under the one that goes on', () => {
  const { store } = openStore();
  const older = store.file(signalOf({ type: 'target_down', resourceId: into }), runAt(NOW_MS)).findingId;
  const younger = store.file(signalOf({ type: 'target_down', resourceId: from }), runAt(NOW_MS + 1)).findingId;
  const symptom = store.file(
    signalOf({ type: 'target_down', resourceId: asResourceId('below') }),
    runAt(NOW_MS),
  ).findingId;
  store.apply([{ findingId: symptom, event: { kind: 'folded', under: younger } }], runAt(NOW_MS));
  store.renameResource(from, into, later);
  expect(store.find(symptom).foldedUnder).toBe(older);
});

test('suppression rules go with the resource, and silence what they find there', () => {
  const { store } = openStore();
  const rule = store.suppress(
    { resourceId: from, match: { kind: 'category', category: 'capacity' }, by: 'ann', reason: 'known' },
    at,
  );
  const { findingId } = store.file(signalOf({ resourceId: into }), runAt(NOW_MS));
  store.renameResource(from, into, later);
  expect(store.suppressions()).toMatchObject([{ id: rule.id, resourceId: into }]);
  expect(store.find(findingId).disposition).toMatchObject({ kind: 'suppressed', suppressionId: rule.id });
});

test('the same rule on both is one rule after that, and what it silences stays silent', () => {
  const { store } = openStore();
  const request = { match: { kind: 'key', key: 'high_disk' }, by: 'ann', reason: null } as const;
  const there = store.suppress({ ...request, resourceId: into }, at);
  store.suppress({ ...request, resourceId: from }, at);
  const { findingId } = store.file(signalOf({ resourceId: from }), runAt(NOW_MS));
  store.renameResource(from, into, later);
  expect(store.suppressions().map(({ id }) => id)).toEqual([there.id]);
  expect(store.find(findingId).disposition).toMatchObject({ kind: 'suppressed', suppressionId: there.id });
  store.removeSuppression(there.id, 'ann', at);
  expect(store.find(findingId).disposition.kind).toBe('none');
});

test('what an operator declared moves too, and its history can be read under the new name', () => {
  const { store } = openStore();
  const { operatorStates } = store;
  operatorStates.declare(from, { muted: true }, { name: 'ann', reason: 'noisy' }, at);
  operatorStates.declare(into, { neverAutoRemediate: true }, { name: 'bob', reason: null }, at);
  store.renameResource(from, into, later);
  expect(operatorStates.get(from)).toBeNull();
  expect(operatorStates.get(into)).toMatchObject({ muted: true, neverAutoRemediate: true, resourceId: into });
  expect(operatorStates.history(into).map(({ kind, resourceId }) => [kind, resourceId])).toEqual([
    ['declared', from],
    ['declared', into],
    ['moved', into],
    ['moved', from],
  ]);
});

test('a name that leads to itself, or to which nothing belongs, changes nothing', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf({ resourceId: into }), runAt(NOW_MS));
  store.renameResource(into, into, later);
  store.renameResource(asResourceId('nobody'), into, later);
  expect(kindsOf(store.details(findingId).history)).toEqual(['opened']);
});
