import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Finding } from '../../findings/finding.ts';
import { patrold } from '../../findings/history-entry.ts';
import { type ReconcileInput, reconcile } from '../../findings/reconcile.ts';
import { transition } from '../../findings/transition.ts';
import type { Skip, SkipCode } from '../../signals/evaluate.ts';
import { clearOf, findingOf, HOUR_MS, NOW_MS, raisedOf, signalOf, unobservedOf } from '../support/findings.ts';

const input = (more: Partial<ReconcileInput>): ReconcileInput => ({
  findings: [findingOf()],
  verdicts: [],
  absent: [],
  skipped: [],
  gone: new Map(),
  inScope: () => true,
  nowMs: NOW_MS + HOUR_MS,
  ...more,
});
const eventsOf = (more: Partial<ReconcileInput>) => reconcile(input(more)).map(({ event }) => event);
const signal = signalOf();
const skipOf = (code: SkipCode): Skip => ({
  detector: 'high_disk',
  resourceId: signal.resourceId,
  code,
  reason: 'why',
});

test('clear resolves, unobserved goes stale with the reason, raised is left to filing', () => {
  expect(eventsOf({ verdicts: [clearOf(signal)] })).toEqual([{ kind: 'cleared', actor: patrold, reason: null }]);
  expect(eventsOf({ verdicts: [unobservedOf(signal)] })).toEqual([
    { kind: 'unobserved', code: 'timed_out', reason: 'the source did not answer in time' },
  ]);
  expect(eventsOf({ verdicts: [raisedOf(signal)] })).toEqual([]);
});

test('clear of another subject, resource or detector says nothing about it', () => {
  const here = signalOf({ subject: '/srv' });
  for (const verdict of [
    clearOf(signalOf({ subject: '/var' })),
    clearOf(signalOf({ type: 'high_cpu', subject: '/srv' })),
  ]) {
    const events = eventsOf({ findings: [findingOf({ subject: '/srv' })], verdicts: [verdict] });
    expect(events).toMatchObject([{ kind: 'unobserved' }]);
  }
  expect(eventsOf({ findings: [findingOf({ subject: '/srv' })], verdicts: [clearOf(here)] })).toMatchObject([
    { kind: 'cleared' },
  ]);
});

test('clear without a subject does not end what has one', () => {
  expect(eventsOf({ findings: [findingOf({ subject: '/srv' })], verdicts: [clearOf(signal)] })).toMatchObject([
    { kind: 'unobserved' },
  ]);
});

test('"nothing could be seen" of a whole resource holds for each of its subjects', () => {
  const findings = ['a', 'b'].map((subject) => findingOf({ subject }));
  expect(eventsOf({ findings, verdicts: [unobservedOf(signal)] })).toMatchObject([
    { kind: 'unobserved' },
    { kind: 'unobserved' },
  ]);
});

test('a subject that a whole look no longer holds is absent, as of that look', () => {
  const absent = [{ detector: 'high_disk', resourceId: signal.resourceId, subject: '/srv', lookAtMs: 42 }];
  expect(eventsOf({ findings: [findingOf({ subject: '/srv' })], absent })).toMatchObject([
    { kind: 'absent', lookAtMs: 42 },
  ]);
});

test.each([
  ['not_due', []],
  ['out_of_scope', [{ kind: 'absent', reason: 'the check no longer applies: why' }]],
  ['switched_off', [{ kind: 'absent', reason: 'the check no longer applies: why' }]],
] as const)('a check that is skipped as %s', (code, expected) => {
  expect(eventsOf({ skipped: [skipOf(code)] })).toMatchObject(expected);
});

test('of several skips of one check the one that passes by itself counts', () => {
  expect(eventsOf({ skipped: [skipOf('not_due'), skipOf('out_of_scope')] })).toEqual([]);
  expect(eventsOf({ skipped: [skipOf('out_of_scope'), skipOf('not_due')] })).toEqual([]);
});

test('no word at all is not health', () => {
  expect(eventsOf({})).toMatchObject([{ kind: 'unobserved', code: 'no_reading' }]);
});

test('what was out of the scope of the run is left as it is', () => {
  expect(eventsOf({ inScope: () => false, verdicts: [clearOf(signal)] })).toEqual([]);
});

test('findings that no detector owns are left alone, until their resource is gone', () => {
  const findings: readonly Finding[] = [{ ...findingOf(), detector: null, key: 'old-snapshots' }];
  expect(eventsOf({ findings, verdicts: [clearOf(signal)] })).toEqual([]);
  expect(eventsOf({ findings, gone: new Map([[signal.resourceId, 'removed']]) })).toEqual([
    { kind: 'gone', reason: 'removed' },
  ]);
});

test('what a model filed under the key of a detector ends by two silences of that detector', () => {
  const findings: readonly Finding[] = [
    { ...findingOf({ type: 'backup_failed' }), filedBy: 'model', lastSignalAtMs: null },
  ];
  const verdicts = [clearOf(signalOf({ type: 'backup_failed', subject: 'nas' }))];
  expect(eventsOf({ findings, verdicts })).toMatchObject([{ kind: 'absent', lookAtMs: NOW_MS + HOUR_MS }]);
});

test('closed by hand and not confirmed, it is asked about; confirmed, no more', () => {
  const closed = transition(findingOf(), { kind: 'resolve', by: 'ann', note: 'done' }, NOW_MS);
  if (!closed.ok) throw new Error(closed.reason);
  expect(eventsOf({ findings: [closed.finding], verdicts: [clearOf(signal)] })).toMatchObject([{ kind: 'cleared' }]);
  const confirmed = {
    ...closed.finding,
    resolution: { by: 'operator', reason: null, atMs: NOW_MS, confirmed: true },
  } as const;
  expect(eventsOf({ findings: [confirmed], verdicts: [clearOf(signal)] })).toEqual([]);
});

const verdictFor = fc.constantFrom(
  'clear',
  'raised',
  'unobserved',
  'absent',
  'silent',
  'not_due',
  'out_of_scope',
  'switched_off',
);

test('nothing but clear, or gone after two looks, ever resolves', () => {
  fc.assert(
    fc.property(fc.array(verdictFor, { maxLength: 12 }), (looks) => {
      let finding = findingOf();
      let misses = 0;
      for (const [index, look] of looks.entries()) {
        const nowMs = NOW_MS + (index + 1) * HOUR_MS;
        if (finding.state === 'resolved') return true;
        const changes = reconcile(
          input({
            findings: [finding],
            verdicts:
              look === 'clear'
                ? [clearOf(signal)]
                : look === 'raised'
                  ? [raisedOf(signal)]
                  : look === 'unobserved'
                    ? [unobservedOf(signal)]
                    : [],
            absent:
              look === 'absent'
                ? [{ detector: 'high_disk', resourceId: signal.resourceId, subject: '', lookAtMs: nowMs }]
                : [],
            skipped: look === 'not_due' || look === 'out_of_scope' || look === 'switched_off' ? [skipOf(look)] : [],
            nowMs,
          }),
        );
        misses += look === 'absent' || look === 'out_of_scope' || look === 'switched_off' ? 1 : 0;
        for (const { event } of changes) {
          const outcome = transition(finding, event, nowMs);
          if (outcome.ok) finding = outcome.finding;
        }
        const over = look === 'clear' || misses >= 2;
        if ((finding.state === 'resolved') !== over) return false;
      }
      return true;
    }),
    { numRuns: 500 },
  );
});
