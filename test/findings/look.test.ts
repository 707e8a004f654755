import { expect, test } from 'vitest';
import type { LookEvent } from '../../findings/event.ts';
import { filingOfReport } from '../../findings/filing.ts';
import type { Finding } from '../../findings/finding.ts';
import { model, operator, patrold } from '../../findings/history-entry.ts';
import { LOOKS_APART_MS, UNOWNED_REOPENS_WITHIN_MS } from '../../findings/look.ts';
import type { Step } from '../../findings/step.ts';
import { transition } from '../../findings/transition.ts';
import type { Signal } from '../../signals/detector.ts';
import { DAY_MS, filingOf, findingOf, HOUR_MS, kindsOf, NOW_MS, percent, reportOf } from '../support/findings.ts';

const after = (finding: Finding, event: Parameters<typeof transition>[1], nowMs = NOW_MS + HOUR_MS): Step => {
  const outcome = transition(finding, event, nowMs);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome;
};
const see = (finding: Finding, more: Partial<Signal> = {}, nowMs = NOW_MS + HOUR_MS): Step =>
  after(finding, { kind: 'seen', filing: filingOf(more) }, nowMs);
const clear: LookEvent = { kind: 'cleared', actor: patrold, reason: null };
const cleared = (finding: Finding): Finding => after(finding, clear).finding;
const acknowledged = (finding = findingOf()): Finding =>
  after(finding, { kind: 'acknowledge', by: 'ann', note: null }).finding;
const dismissed = (reason: 'expected_behavior' | 'will_fix_later', finding = findingOf()): Finding =>
  after(finding, { kind: 'dismiss', by: 'ann', reason, note: null }).finding;
const byHand = (finding = findingOf()): Finding =>
  after(finding, { kind: 'resolve', by: 'ann', note: 'emptied the bin' }).finding;
const reported = (more = {}, actor = model('m')) => filingOfReport(reportOf(more), actor, null, 'run-1');

test('a look that only sees it again moves "last seen" and what is said, without a row', () => {
  const step = see(findingOf(), { summary: '81 % used', level: percent(81), title: 'Space runs out' });
  expect(step.entries).toEqual([]);
  expect(step.finding).toMatchObject({
    lastSeenAtMs: NOW_MS + HOUR_MS,
    summary: '81 % used',
    level: { value: 81 },
    episode: 1,
  });
});

test('a clock that jumps back does not take "last seen" back', () => {
  expect(see(findingOf(), {}, NOW_MS - DAY_MS).finding.lastSeenAtMs).toBe(NOW_MS);
});

test('the severity follows the signal up and down, a row each time it changes', () => {
  const worse = see(findingOf(), { severity: 'critical' });
  expect(worse.entries).toMatchObject([{ kind: 'worsened', data: { from: 'warning', to: 'critical' } }]);
  expect(kindsOf(see(worse.finding, { severity: 'critical' }).entries)).toEqual([]);
  expect(kindsOf(see(worse.finding, { severity: 'warning' }).entries)).toEqual(['eased']);
});

test('a clear verdict resolves it; so does a thing that is gone', () => {
  const step = after(findingOf(), clear);
  expect(kindsOf(step.entries)).toEqual(['cleared']);
  expect(step.finding).toMatchObject({ state: 'resolved', resolution: { by: 'clear', confirmed: true } });
  expect(kindsOf(after(step.finding, clear).entries)).toEqual([]);
  const gone = after(findingOf(), { kind: 'gone', reason: 'removed' });
  expect(gone).toMatchObject({
    finding: { state: 'resolved', resolution: { by: 'gone' } },
    entries: [{ kind: 'gone', reason: 'removed' }],
  });
});

test('what returns after it was over is the next episode, with fresh attempts, and knows what ended the last one', () => {
  const investigated = after(after(findingOf(), { kind: 'investigation_started' }).finding, {
    kind: 'investigation_ended',
    outcome: 'fix_verified',
    fix: 'restarted the writer',
  }).finding;
  const back = see(cleared(investigated), {}, NOW_MS + DAY_MS);
  expect(back.entries).toMatchObject([{ kind: 'regressed', episode: 2, reason: 'restarted the writer' }]);
  expect(back.finding).toMatchObject({
    state: 'active',
    episode: 2,
    regressions: 1,
    openedAtMs: NOW_MS + DAY_MS,
    firstSeenAtMs: NOW_MS,
    investigation: { attempts: 0, outcome: null, running: false },
    lastFix: { how: 'restarted the writer', episode: 1 },
  });
});

test('closed by hand and still there: the same episode goes on; once confirmed, its return is a new one', () => {
  const closed = byHand();
  expect(closed.resolution).toMatchObject({ by: 'operator', confirmed: false });
  const again = see(closed);
  expect(kindsOf(again.entries)).toEqual(['reopened']);
  expect(again.finding).toMatchObject({ state: 'active', episode: 1, regressions: 0, resolution: null });
  const confirmed = after(closed, clear);
  expect(kindsOf(confirmed.entries)).toEqual(['confirmed']);
  expect(see(confirmed.finding).finding).toMatchObject({ episode: 2, regressions: 1 });
});

test('a problem that no detector knows is reopened by a report within a day, and is a new episode later', () => {
  const filed = { ...findingOf(), detector: null, lastSignalAtMs: null, filedBy: 'model' as const };
  const closed = after(filed, { kind: 'resolve', by: 'ann', note: 'done' }, NOW_MS).finding;
  const later = (ms: number) => after(closed, { kind: 'seen', filing: reported() }, NOW_MS + ms).finding.episode;
  expect(later(UNOWNED_REOPENS_WITHIN_MS - 1)).toBe(1);
  expect(later(UNOWNED_REOPENS_WITHIN_MS)).toBe(2);
});

test('an acknowledgement stays through looks that are no worse, and gives way to a clear worsening', () => {
  const seen = acknowledged();
  expect(see(seen, { level: percent(84) })).toMatchObject({
    entries: [],
    finding: { disposition: { kind: 'acknowledged' } },
  });
  const value = see(seen, { level: percent(85) });
  expect(value).toMatchObject({
    entries: [{ kind: 'escalated', data: { ended: 'acknowledged' } }],
    finding: { disposition: { kind: 'none' } },
  });
  expect(kindsOf(see(seen, { severity: 'critical' }).entries)).toEqual(['escalated']);
});

test('what is compared is what was decided about, not the look before', () => {
  let finding = acknowledged();
  for (const value of [82, 84, 78, 84.9]) finding = see(finding, { level: percent(value) }).finding;
  expect(finding.disposition.kind).toBe('acknowledged');
  const eased = see(acknowledged(findingOf({ severity: 'critical' })), { severity: 'warning' }).finding;
  expect(see(eased, { severity: 'critical' })).toMatchObject({
    entries: [{ kind: 'worsened' }],
    finding: { disposition: { kind: 'acknowledged' } },
  });
});

test('a snooze gives way to a worse severity alone', () => {
  const asleep = after(findingOf(), { kind: 'snooze', by: 'ann', untilMs: NOW_MS + 3 * HOUR_MS, note: null }).finding;
  expect(see(asleep, { level: percent(99) }).finding.disposition.kind).toBe('snoozed');
  expect(kindsOf(see(asleep, { severity: 'critical' }).entries)).toEqual(['escalated']);
});

test('a suppressed one stays silent however bad it gets', () => {
  const silent = after(findingOf(), {
    kind: 'suppressed',
    suppressionId: 's1',
    actor: operator('ann'),
    reason: null,
  }).finding;
  expect(see(silent, { severity: 'critical', level: percent(99) }).finding).toMatchObject({
    severity: 'critical',
    disposition: { kind: 'suppressed' },
  });
});

test.each([
  ['acknowledged', acknowledged(), 'none'],
  ['will_fix_later', dismissed('will_fix_later'), 'none'],
  ['expected_behavior', dismissed('expected_behavior'), 'dismissed'],
] as const)('%s after it is over and back: %s', (_what, decided, expected) => {
  const over = after(decided, clear);
  expect(over.entries).toMatchObject([
    { kind: 'cleared', data: expected === 'none' ? { ended: decided.disposition.kind } : {} },
  ]);
  expect(see(over.finding).finding.disposition.kind).toBe(expected);
});

test('a dismissal that outlived its episode still gives way to what comes back worse', () => {
  const over = cleared(dismissed('expected_behavior'));
  expect(kindsOf(see(over, { severity: 'critical' }).entries)).toEqual(['regressed', 'escalated']);
  expect(see(over, { level: percent(85) }).finding.disposition.kind).toBe('none');
});

test('unobserved never resolves: it goes stale with one row, keeps since when, and is observed again with one row', () => {
  const blind = (reason: string): LookEvent => ({ kind: 'unobserved', code: 'timed_out', reason });
  const first = after(findingOf(), blind('no answer'), NOW_MS + 1);
  expect(kindsOf(first.entries)).toEqual(['stale']);
  const second = after(first.finding, blind('still none'), NOW_MS + 2);
  expect(second).toMatchObject({
    entries: [],
    finding: { state: 'active', stale: { reason: 'still none', sinceMs: NOW_MS + 1 } },
  });
  expect(see(second.finding)).toMatchObject({ entries: [{ kind: 'observed' }], finding: { stale: null } });
  expect(after(cleared(findingOf()), blind('x')).finding.stale).toBeNull();
});

test('absent once is not gone; absent in a second look, apart from the first, is', () => {
  const absent = (lookAtMs: number): LookEvent => ({ kind: 'absent', lookAtMs, reason: 'no longer held' });
  const once = after(findingOf(), absent(NOW_MS));
  expect(once).toMatchObject({
    finding: { state: 'active', absence: { looks: 1 }, stale: { code: 'confirming' } },
    entries: [{ kind: 'stale' }],
  });
  const same = after(once.finding, absent(NOW_MS + LOOKS_APART_MS - 1));
  expect(same.finding.state).toBe('active');
  const seen = see(once.finding).finding;
  expect(seen.absence).toBeNull();
  expect(after(seen, absent(NOW_MS + LOOKS_APART_MS)).finding.state).toBe('active');
  const unseen = after(once.finding, { kind: 'unobserved', code: 'timed_out', reason: 'x' }).finding;
  const gone = after(unseen, absent(NOW_MS + LOOKS_APART_MS));
  expect(gone).toMatchObject({
    finding: { state: 'resolved', resolution: { by: 'gone' } },
    entries: [{ kind: 'gone' }],
  });
});

test('a model can not clear what a detector rules, nor what a person filed; it can clear its own', () => {
  const byModel: LookEvent = { kind: 'cleared', actor: model('m'), reason: 'looks fine' };
  expect(transition(findingOf(), byModel, NOW_MS)).toMatchObject({ ok: false, code: 'finding_action_not_allowed' });
  const filed = { ...findingOf(), detector: null };
  expect(transition({ ...filed, filedBy: 'operator' }, byModel, NOW_MS).ok).toBe(false);
  expect(after({ ...filed, filedBy: 'model' }, byModel).finding.resolution?.by).toBe('model');
});

test('a model explains what a detector shows, and changes nothing else of it', () => {
  const before = findingOf();
  const { finding, entries } = after(before, {
    kind: 'seen',
    filing: reported({ severity: 'info', summary: 'the log grows', title: 'Logs' }),
  });
  expect(entries).toEqual([]);
  expect(finding).toEqual({ ...before, explanation: 'the log grows', declineReason: null });
});

test('a model files first, a detector then shows it: the data gets the say, the words become the explanation', () => {
  const filed: Finding = {
    ...findingOf({ severity: 'critical' }),
    filedBy: 'model',
    lastSignalAtMs: null,
    summary: 'the log grows',
  };
  const { finding } = see(filed, { severity: 'warning', summary: '80 % used' });
  expect(finding).toMatchObject({
    severity: 'warning',
    summary: '80 % used',
    explanation: 'the log grows',
    filedBy: 'model',
  });
});

test('other words of a model for its own finding are no news; another severity is', () => {
  const filed: Finding = { ...findingOf(), detector: null, filedBy: 'model', lastSignalAtMs: null };
  const reworded = after(filed, {
    kind: 'seen',
    filing: reported({ title: 'Quite other words', summary: 'said anew' }),
  });
  expect(reworded).toMatchObject({ entries: [], finding: { title: filed.title, summary: 'said anew' } });
  expect(kindsOf(after(filed, { kind: 'seen', filing: reported({ severity: 'critical' }) }).entries)).toEqual([
    'worsened',
  ]);
});

test('why a model did not file a signal is kept on the finding', () => {
  expect(after(findingOf(), { kind: 'declined', reason: 'thought it harmless' }).finding.declineReason).toBe(
    'thought it harmless',
  );
});

test('folding and unfolding are told once each, and nothing folds under itself', () => {
  const folded = after(findingOf(), { kind: 'folded', under: 'f2' });
  expect(kindsOf(folded.entries)).toEqual(['folded']);
  expect(kindsOf(after(folded.finding, { kind: 'folded', under: 'f2' }).entries)).toEqual([]);
  expect(kindsOf(after(folded.finding, { kind: 'unfolded' }).entries)).toEqual(['unfolded']);
  expect(after(findingOf(), { kind: 'folded', under: 'f1' }).finding.foldedUnder).toBeNull();
  expect(cleared(folded.finding).foldedUnder).toBeNull();
});
