import { expect, test } from 'vitest';
import { type Countable, counts, QUIET_REASONS, type QuietReason, whyQuiet } from '../../findings/counts.ts';
import { undecided } from '../../findings/finding.ts';
import { nothingDeclared, type OperatorStatePatch } from '../../findings/operator-state.ts';
import { asResourceId } from '../../signals/resource.ts';
import { findingOf, HOUR_MS, NOW_MS } from '../support/findings.ts';

const mark = { severity: 'warning', value: null, unit: null } as const;
const decision = { by: 'ann', atMs: NOW_MS, note: null, mark } as const;
const active: Countable = { state: 'active', disposition: undecided, foldedUnder: null, key: 'high_disk' };
const declared = (patch: OperatorStatePatch) => ({ ...nothingDeclared(asResourceId('nas1')), ...patch });
const window = (fromMs: number, untilMs: number) =>
  declared({ maintenance: { fromMs: NOW_MS + fromMs, untilMs: NOW_MS + untilMs } });

const TABLE: readonly (readonly [string, Countable, ReturnType<typeof declared> | null, QuietReason | null])[] = [
  ['an active finding', active, null, null],
  [
    'one of a resource about which nothing in particular is declared',
    active,
    declared({ note: 'in the cellar' }),
    null,
  ],
  ['a resolved one', { ...active, state: 'resolved' }, null, 'resolved'],
  ['an acknowledged one', { ...active, disposition: { kind: 'acknowledged', ...decision } }, null, 'acknowledged'],
  ['a snoozed one', { ...active, disposition: { kind: 'snoozed', untilMs: NOW_MS + 1, ...decision } }, null, 'snoozed'],
  [
    'one whose snooze is over, though nothing has said so yet',
    { ...active, disposition: { kind: 'snoozed', untilMs: NOW_MS, ...decision } },
    null,
    null,
  ],
  [
    'a dismissed one',
    { ...active, disposition: { kind: 'dismissed', reason: 'not_an_issue', remindAtMs: null, ...decision } },
    null,
    'dismissed',
  ],
  [
    'a suppressed one',
    { ...active, disposition: { kind: 'suppressed', suppressionId: 's', atMs: NOW_MS } },
    null,
    'suppressed',
  ],
  ['a folded one', { ...active, foldedUnder: 'f2' }, null, 'folded'],
  ['one of a retired resource', active, declared({ retired: true }), 'retired'],
  ['one of a muted resource', active, declared({ muted: true }), 'muted'],
  ['one during maintenance', active, window(-HOUR_MS, HOUR_MS), 'maintenance'],
  ['one before maintenance', active, window(1, HOUR_MS), null],
  ['one after maintenance', active, window(-HOUR_MS, 0), null],
  [
    'an outage of what may be off',
    { ...active, key: 'guest_unreachable' },
    declared({ expectedOffline: true }),
    'expected_offline',
  ],
  [
    'an outage with a subject',
    { ...active, key: 'target_down:node' },
    declared({ expectedOffline: true }),
    'expected_offline',
  ],
  ['another fault of what may be off', active, declared({ expectedOffline: true }), null],
];

test.each(TABLE)('%s', (_what, finding, state, expected) => {
  expect(whyQuiet(finding, state, NOW_MS)).toBe(expected);
  expect(counts(finding, state, NOW_MS)).toBe(expected === null);
});

test('every reason to be quiet is in the table', () => {
  expect(QUIET_REASONS.filter((reason) => !TABLE.some(([, , , expected]) => expected === reason))).toEqual([]);
});

test('a stale finding counts: not to be seen makes it no better', () => {
  expect(counts(findingOf({}, { stale: { code: 'timed_out', reason: 'x', sinceMs: NOW_MS } }), null, NOW_MS)).toBe(
    true,
  );
});
