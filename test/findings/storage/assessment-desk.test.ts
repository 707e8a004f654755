import { expect, test } from 'vitest';
import { model } from '../../../findings/history-entry.ts';
import { KEPT_ASSESSMENTS } from '../../../findings/storage/assessment-table.ts';
import { DAY_MS, kindsOf, NOW_MS, openStore, reportOf, runAt, signalOf } from '../../support/findings.ts';

const saying = (verdict: 'present' | 'resolved' | 'uncertain', evidence: readonly string[] = []) => ({
  verdict,
  reason: 'as the readings show',
  evidence,
  actor: model('m'),
});
const inRun = (runId: string, nowMs: number) => ({ ...runAt(nowMs), runId });

test('of one run and one finding there is one assessment, the last that was said', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  store.assess(findingId, saying('uncertain'), inRun('a', NOW_MS));
  store.assess(findingId, saying('present'), inRun('a', NOW_MS + 1));
  store.assess(findingId, saying('resolved'), inRun('b', NOW_MS + 2));
  expect(store.assessmentsIn('a').get(findingId)).toMatchObject({ verdict: 'present', by: 'm', episode: 1 });
  expect([...store.assessmentsIn('c')]).toEqual([]);
  expect(store.assessmentsOf(findingId, 10).map(({ runId, verdict }) => [runId, verdict])).toEqual([
    ['b', 'resolved'],
    ['a', 'present'],
  ]);
});

test('history tells where a model begins to say something else, not each time that it says it', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  for (const [index, verdict] of (['present', 'present', 'uncertain', 'present'] as const).entries())
    store.assess(findingId, saying(verdict), inRun(`run-${index}`, NOW_MS + index));
  expect(kindsOf(store.details(findingId).history)).toEqual(['opened', 'assessed', 'assessed', 'assessed']);
});

test('no assessment changes what a detector rules; what none rules is seen when it is said to be there', () => {
  const { store } = openStore();
  const ruled = store.file(signalOf(), runAt(NOW_MS)).finding;
  const own = store.report(reportOf(), model('m'), runAt(NOW_MS)).finding;
  for (const verdict of ['resolved', 'present'] as const) {
    store.assess(ruled.id, saying(verdict), inRun('later', NOW_MS + DAY_MS));
    store.assess(own.id, saying(verdict), inRun('later', NOW_MS + DAY_MS));
  }
  expect(store.find(ruled.id)).toEqual(ruled);
  expect(store.find(own.id)).toEqual({ ...own, lastSeenAtMs: NOW_MS + DAY_MS });
});

test('what is resolved is not assessed', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  store.act(findingId, { kind: 'resolve', by: 'ann', note: 'repaired' }, { nowMs: NOW_MS });
  expect(() => store.assess(findingId, saying('present'), inRun('a', NOW_MS))).toThrow(
    expect.objectContaining({ code: 'finding_action_not_allowed' }),
  );
  expect(store.assessmentsIn('a').size).toBe(0);
});

test('what is cited is kept with the finding, and goes with it', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf({ evidence: [] }), runAt(NOW_MS));
  const readingOf = (id: string) =>
    id === 'x1' ? { sourceId: 'host', kind: 'log', takenAtMs: NOW_MS, shows: 'ok' } : null;
  store.assess(findingId, saying('present', ['x1', 'e404']), { ...inRun('a', NOW_MS), readingOf });
  expect(store.details(findingId).evidence).toMatchObject([{ readingId: 'x1', kind: 'log' }]);
  store.apply([{ findingId, event: { kind: 'gone', reason: 'sold' } }], runAt(NOW_MS));
  store.prune(NOW_MS);
  store.prune(NOW_MS + 2 * DAY_MS, { keepResolvedMs: DAY_MS, keepRequestsMs: DAY_MS, maxPerPass: 10 });
  expect(store.assessmentsIn('a').size).toBe(0);
});

test('of a finding that goes on for ever, so many are kept', () => {
  const { store } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  for (let run = 0; run < KEPT_ASSESSMENTS + 5; run += 1)
    store.assess(findingId, saying('present'), inRun(`run-${run}`, NOW_MS + run));
  expect(store.assessmentsOf(findingId, 1_000)).toHaveLength(KEPT_ASSESSMENTS);
  expect(store.assessmentsIn('run-0').size).toBe(0);
});
