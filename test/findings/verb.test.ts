import { expect, test } from 'vitest';
import type { VerbEvent } from '../../findings/event.ts';
import type { Finding } from '../../findings/finding.ts';
import { patrold } from '../../findings/history-entry.ts';
import { transition } from '../../findings/transition.ts';
import { applyVerb, LONGEST_SNOOZE_MS, REMINDER_AFTER_MS, SHORTEST_SNOOZE_MS } from '../../findings/verb.ts';
import { findingOf, HOUR_MS, kindsOf, MINUTE_MS, NOW_MS, percent } from '../support/findings.ts';

const by = 'ann';
const note = 'looked at it';
const VERBS: Readonly<Record<VerbEvent['kind'], VerbEvent>> = {
  acknowledge: { kind: 'acknowledge', by, note: null },
  unacknowledge: { kind: 'unacknowledge', by },
  snooze: { kind: 'snooze', by, untilMs: NOW_MS + 2 * HOUR_MS, note: null },
  unsnooze: { kind: 'unsnooze', by },
  dismiss: { kind: 'dismiss', by, reason: 'not_an_issue', note: null },
  undismiss: { kind: 'undismiss', by },
  resolve: { kind: 'resolve', by, note },
  note: { kind: 'note', by, note },
};
const apply = (finding: Finding, event: VerbEvent): Finding => {
  const outcome = applyVerb(finding, event, NOW_MS);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.finding;
};
const active = findingOf();
const resolution = transition(active, { kind: 'cleared', actor: patrold, reason: null }, NOW_MS);
const suppression = transition(
  active,
  { kind: 'suppressed', suppressionId: 's1', actor: patrold, reason: null },
  NOW_MS,
);
const of = (outcome: ReturnType<typeof transition>): Finding => {
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.finding;
};
const STATES: Readonly<Record<string, Finding>> = {
  none: active,
  acknowledged: apply(active, VERBS.acknowledge),
  snoozed: apply(active, VERBS.snooze),
  dismissed: apply(active, VERBS.dismiss),
  suppressed: of(suppression),
  resolved: of(resolution),
  'resolved, dismissed': of(
    transition(apply(active, VERBS.dismiss), { kind: 'cleared', actor: patrold, reason: null }, NOW_MS),
  ),
};

/** What each verb does in each state: the row it writes, `-` for nothing to do, `no` for refused. */
const TABLE: Readonly<Record<string, Readonly<Record<VerbEvent['kind'], string>>>> = {
  none: {
    acknowledge: 'acknowledged',
    unacknowledge: '-',
    snooze: 'snoozed',
    unsnooze: '-',
    dismiss: 'dismissed',
    undismiss: '-',
    resolve: 'resolved',
    note: 'noted',
  },
  acknowledged: {
    acknowledge: '-',
    unacknowledge: 'unacknowledged',
    snooze: 'snoozed',
    unsnooze: 'no',
    dismiss: 'dismissed',
    undismiss: 'no',
    resolve: 'resolved',
    note: 'noted',
  },
  snoozed: {
    acknowledge: 'acknowledged',
    unacknowledge: 'no',
    snooze: '-',
    unsnooze: 'unsnoozed',
    dismiss: 'dismissed',
    undismiss: 'no',
    resolve: 'resolved',
    note: 'noted',
  },
  dismissed: {
    acknowledge: 'acknowledged',
    unacknowledge: 'no',
    snooze: 'snoozed',
    unsnooze: 'no',
    dismiss: '-',
    undismiss: 'undismissed',
    resolve: 'resolved',
    note: 'noted',
  },
  suppressed: {
    acknowledge: 'no',
    unacknowledge: 'no',
    snooze: 'no',
    unsnooze: 'no',
    dismiss: 'no',
    undismiss: 'no',
    resolve: 'resolved',
    note: 'noted',
  },
  resolved: {
    acknowledge: 'no',
    unacknowledge: '-',
    snooze: 'no',
    unsnooze: '-',
    dismiss: 'dismissed',
    undismiss: '-',
    resolve: 'no',
    note: 'noted',
  },
  'resolved, dismissed': {
    acknowledge: 'no',
    unacknowledge: 'no',
    snooze: 'no',
    unsnooze: 'no',
    dismiss: '-',
    undismiss: 'undismissed',
    resolve: 'no',
    note: 'noted',
  },
};

test.each(Object.keys(TABLE).flatMap((state) => Object.keys(VERBS).map((verb) => [verb, state] as const)))(
  '%s of one that is %s',
  (verb, state) => {
    const finding = STATES[state] ?? active;
    const event = VERBS[verb as VerbEvent['kind']];
    const outcome = applyVerb(finding, event, NOW_MS);
    const told = outcome.ok ? (kindsOf(outcome.entries)[0] ?? '-') : 'no';
    expect(told).toBe(TABLE[state]?.[event.kind]);
    if (!outcome.ok) return;
    expect(outcome.entries.length === 0 ? outcome.finding : finding).toBe(finding);
    for (const { actor } of outcome.entries) expect(actor).toEqual({ kind: 'operator', name: by });
    // The same again, at the same figures, says nothing new; a note always does.
    const again = applyVerb(outcome.finding, event, NOW_MS);
    if (verb !== 'note') expect(again.ok ? again.entries : []).toEqual([]);
  },
);

test.each([
  [SHORTEST_SNOOZE_MS, true],
  [SHORTEST_SNOOZE_MS - 2 * MINUTE_MS, false],
  [LONGEST_SNOOZE_MS, true],
  [LONGEST_SNOOZE_MS + 2 * MINUTE_MS, false],
  [-HOUR_MS, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
])('a snooze of %d ms is allowed: %s', (forMs, allowed) => {
  expect(applyVerb(active, { kind: 'snooze', by, untilMs: NOW_MS + forMs, note: null }, NOW_MS).ok).toBe(allowed);
});

test('a decision remembers what it was made at', () => {
  expect(apply(active, VERBS.acknowledge).disposition).toMatchObject({
    by,
    atMs: NOW_MS,
    mark: { severity: 'warning', value: 80, unit: 'percent' },
  });
});

test('acknowledging again at a worse figure moves the bar', () => {
  const worse = { ...apply(active, VERBS.acknowledge), level: percent(84) };
  const outcome = applyVerb(worse, VERBS.acknowledge, NOW_MS + 1);
  expect(outcome).toMatchObject({
    ok: true,
    entries: [{ kind: 'acknowledged' }],
    finding: { disposition: { mark: { value: 84 } } },
  });
});

test('only "will fix later" has a reminder, after seven days, and only while there is something to fix', () => {
  const later: VerbEvent = { kind: 'dismiss', by, reason: 'will_fix_later', note: null };
  expect(apply(active, later).disposition).toMatchObject({ remindAtMs: NOW_MS + REMINDER_AFTER_MS });
  expect(apply(active, VERBS.dismiss).disposition).toMatchObject({ remindAtMs: null });
  expect(applyVerb(STATES['resolved'] ?? active, later, NOW_MS)).toMatchObject({
    ok: false,
    code: 'finding_action_not_allowed',
  });
});

test('resolving and noting need words', () => {
  expect(applyVerb(active, { kind: 'resolve', by, note: '' }, NOW_MS)).toMatchObject({
    ok: false,
    code: 'invalid_finding_request',
  });
  expect(applyVerb(active, { kind: 'note', by, note: '' }, NOW_MS)).toMatchObject({
    ok: false,
    code: 'invalid_finding_request',
  });
});

test('what was done by hand is remembered as what fixed it', () => {
  expect(apply(active, VERBS.resolve)).toMatchObject({
    state: 'resolved',
    lastFix: { how: note, episode: 1 },
    resolution: { by: 'operator', confirmed: false },
  });
});
