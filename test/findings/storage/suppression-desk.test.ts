import { expect, test } from 'vitest';
import { storedKey } from '../../../findings/identity.ts';
import { DAY_MS, kindsOf, NOW_MS, openStore, percent, runAt, signalOf } from '../../support/findings.ts';

const at = { nowMs: NOW_MS };
const { resourceId } = signalOf();

test('a rule silences what is there and what comes, however bad, and says so in the history', () => {
  const { store } = openStore();
  const there = store.file(signalOf(), runAt(NOW_MS)).findingId;
  const rule = store.suppressFinding(there, { scope: 'category', by: 'ann', reason: 'a scratch disk' }, at);
  const come = store.file(signalOf({ subject: 'b' }), runAt(NOW_MS + 1)).findingId;
  const other = store.file(signalOf({ type: 'high_cpu', category: 'performance' }), runAt(NOW_MS + 1)).findingId;
  expect(store.find(there).disposition).toEqual({ kind: 'suppressed', suppressionId: rule.id, atMs: NOW_MS });
  expect(kindsOf(store.details(come).history)).toEqual(['opened', 'suppressed']);
  expect(store.find(other).disposition.kind).toBe('none');
  store.file(signalOf({ severity: 'critical', level: percent(99) }), runAt(NOW_MS + 2));
  expect(store.find(there)).toMatchObject({ severity: 'critical', disposition: { kind: 'suppressed' } });
});

test('a rule that is taken back leaves what another rule covers to that one', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  const narrow = store.suppressFinding(findingId, { scope: 'key', by: 'ann', reason: null }, at);
  const wide = store.suppressFinding(findingId, { scope: 'category', by: 'bob', reason: null }, at);
  store.removeSuppression(narrow.id, 'ann', at);
  expect(store.find(findingId).disposition).toMatchObject({ suppressionId: wide.id });
  store.removeSuppression(wide.id, 'ann', at);
  expect(store.find(findingId).disposition.kind).toBe('none');
  expect(kindsOf(store.details(findingId).history)).toEqual([
    'opened',
    'suppressed',
    'unsuppressed',
    'suppressed',
    'unsuppressed',
  ]);
  expect(() => store.removeSuppression(wide.id, 'ann', at)).toThrow(
    expect.objectContaining({ code: 'suppression_not_found' }),
  );
});

test('the same rule again is the same rule; after it was taken back it is another', () => {
  const { store } = openStore();
  const request = { resourceId, match: { kind: 'key', key: 'high_disk' }, by: 'ann', reason: null } as const;
  const first = store.suppress(request, at);
  expect(store.suppress({ ...request, by: 'bob' }, at).id).toBe(first.id);
  store.removeSuppression(first.id, 'ann', at);
  expect(store.suppressions()).toEqual([]);
  expect(store.suppress(request, { nowMs: NOW_MS + DAY_MS }).id).not.toBe(first.id);
});

test('requests for rules are carried out once', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  const suppress = () =>
    store.suppressFinding(findingId, { scope: 'key', by: 'ann', reason: null }, { nowMs: NOW_MS, requestId: 'r1' });
  const rule = suppress();
  expect(suppress()).toEqual(rule);
  const remove = () => store.removeSuppression(rule.id, 'ann', { nowMs: NOW_MS, requestId: 'r2' });
  remove();
  remove();
  expect(kindsOf(store.details(findingId).history)).toEqual(['opened', 'suppressed', 'unsuppressed']);
});

test('the key of a rule is kept as the keys of findings are', () => {
  const { store } = openStore();
  const subject = 'a'.repeat(400);
  store.suppress({ resourceId, match: { kind: 'key', key: `high_disk:${subject}` }, by: 'ann', reason: null }, at);
  const { finding } = store.file(signalOf({ subject }), runAt(NOW_MS));
  expect(finding.key).toBe(storedKey(`high_disk:${subject}`));
  expect(finding.disposition.kind).toBe('suppressed');
});
