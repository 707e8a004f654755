import { expect, test } from 'vitest';
import type { FindingEvent } from '../../findings/event.ts';
import type { Finding } from '../../findings/finding.ts';
import { operator } from '../../findings/history-entry.ts';
import { transition, wakesAtMs } from '../../findings/transition.ts';
import { DAY_MS, findingOf, HOUR_MS, kindsOf, NOW_MS } from '../support/findings.ts';

const after = (finding: Finding, event: FindingEvent, nowMs = NOW_MS) => {
  const outcome = transition(finding, event, nowMs);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome;
};
const passed: FindingEvent = { kind: 'time_passed' };

test('a snooze ends by itself, a reminder comes by itself, and nothing else moves with time', () => {
  const snoozed = after(findingOf(), { kind: 'snooze', by: 'ann', untilMs: NOW_MS + HOUR_MS, note: null }).finding;
  expect(wakesAtMs(snoozed)).toBe(NOW_MS + HOUR_MS);
  expect(after(snoozed, passed, NOW_MS + HOUR_MS - 1).entries).toEqual([]);
  expect(after(snoozed, passed, NOW_MS + HOUR_MS)).toMatchObject({
    entries: [{ kind: 'snooze_expired' }],
    finding: { disposition: { kind: 'none' } },
  });
  const later = after(findingOf(), { kind: 'dismiss', by: 'ann', reason: 'will_fix_later', note: null }).finding;
  expect(kindsOf(after(later, passed, NOW_MS + 7 * DAY_MS).entries)).toEqual(['reminder']);
  const never = after(findingOf(), { kind: 'dismiss', by: 'ann', reason: 'not_an_issue', note: null }).finding;
  expect(wakesAtMs(never)).toBeNull();
  expect(after(never, passed, NOW_MS + 999 * DAY_MS).entries).toEqual([]);
});

test('the first rule to cover a finding stands; taking back another one changes nothing', () => {
  const rule = (suppressionId: string): FindingEvent => ({
    kind: 'suppressed',
    suppressionId,
    actor: operator('ann'),
    reason: 'known',
  });
  const acknowledged = after(findingOf(), { kind: 'acknowledge', by: 'ann', note: null }).finding;
  const silent = after(acknowledged, rule('s1'));
  expect(silent.entries).toMatchObject([
    { kind: 'suppressed', reason: 'known', data: { rule: 's1', from: 'acknowledged' } },
  ]);
  expect(after(silent.finding, rule('s2')).finding).toBe(silent.finding);
  const back = (suppressionId: string): FindingEvent => ({
    kind: 'unsuppressed',
    suppressionId,
    actor: operator('ann'),
  });
  expect(after(silent.finding, back('s2')).entries).toEqual([]);
  expect(after(silent.finding, back('s1'))).toMatchObject({
    entries: [{ kind: 'unsuppressed' }],
    finding: { disposition: { kind: 'none' } },
  });
});

test('an investigation is counted when it starts, is running until it ends, and a crash leaves it to be tried again', () => {
  const started = after(findingOf(), { kind: 'investigation_started' });
  expect(started.finding.investigation).toEqual({ outcome: null, attempts: 1, lastEndedAtMs: null, running: true });
  expect(after(started.finding, { kind: 'investigation_started' }).entries).toEqual([]);
  const cut = after(started.finding, { kind: 'investigation_ended', outcome: null, fix: null }, NOW_MS + 1).finding;
  expect(cut.investigation).toEqual({ outcome: null, attempts: 1, lastEndedAtMs: NOW_MS + 1, running: false });
  const again = after(cut, { kind: 'investigation_started' }).finding;
  expect(
    after(again, { kind: 'investigation_ended', outcome: 'fix_queued', fix: null }).finding.investigation,
  ).toMatchObject({ attempts: 2, outcome: 'fix_queued' });
});

test('the fix of an investigation goes on after it, and what worked is remembered', () => {
  const queued: Finding = {
    ...findingOf(),
    investigation: { outcome: 'fix_queued', attempts: 1, lastEndedAtMs: NOW_MS, running: false },
  };
  const progress = (outcome: 'fix_executed' | 'fix_verified' | 'fix_failed') =>
    after(queued, { kind: 'fix_progressed', outcome, fix: 'restarted web' }, NOW_MS + HOUR_MS);
  expect(progress('fix_executed').finding).toMatchObject({ lastFix: null, investigation: { outcome: 'fix_executed' } });
  expect(progress('fix_verified').finding.lastFix).toEqual({
    how: 'restarted web',
    episode: 1,
    atMs: NOW_MS + HOUR_MS,
  });
  expect(progress('fix_failed').finding.investigation.lastEndedAtMs).toBe(NOW_MS + HOUR_MS);
  expect(kindsOf(progress('fix_verified').entries)).toEqual(['fix_progressed']);
});
