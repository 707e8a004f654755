/** Whatever can happen to a finding, in any order. */
import fc from 'fast-check';
import type { FindingEvent, VerbEvent } from '../../findings/event.ts';
import { filingOfReport } from '../../findings/filing.ts';
import { DISMISSAL_REASONS } from '../../findings/finding.ts';
import { model, operator, patrold } from '../../findings/history-entry.ts';
import { INVESTIGATION_OUTCOMES } from '../../findings/investigation.ts';
import { SEVERITIES } from '../../signals/detector.ts';
import { filingOf, HOUR_MS, percent, reportOf } from './findings.ts';

const severity = fc.constantFrom(...SEVERITIES);
const note = fc.option(fc.constantFrom('', 'looked at it', 'known'), { nil: null });
const by = fc.constantFrom('ann', 'bob');

export const verbAt = (nowMs: number): fc.Arbitrary<VerbEvent> =>
  fc.oneof(
    fc.record({ kind: fc.constant('acknowledge'), by, note }),
    fc.record({ kind: fc.constantFrom('unacknowledge', 'unsnooze', 'undismiss'), by }),
    fc.record({
      kind: fc.constant('snooze'),
      by,
      note,
      untilMs: fc.integer({ min: -1, max: 8 * 24 }).map((hours) => nowMs + hours * HOUR_MS),
    }),
    fc.record({ kind: fc.constant('dismiss'), by, note, reason: fc.constantFrom(...DISMISSAL_REASONS) }),
    fc.record({ kind: fc.constantFrom('resolve', 'note'), by, note: note.map((text) => text ?? '') }),
  );

const seen = fc.record({ severity, value: fc.integer({ min: 60, max: 100 }) }).map(({ severity: of, value }) => ({
  kind: 'seen' as const,
  filing: filingOf({ severity: of, level: percent(value), summary: `${value} % used` }),
}));

const claimed = severity.map((of) => ({
  kind: 'seen' as const,
  filing: filingOfReport(reportOf({ severity: of }), model('m'), null, 'run-1'),
}));

const outcome = fc.option(fc.constantFrom(...INVESTIGATION_OUTCOMES), { nil: null });

const lookAt = (nowMs: number): fc.Arbitrary<FindingEvent> =>
  fc.oneof(
    seen,
    claimed,
    fc.record({ kind: fc.constant('cleared'), actor: fc.constantFrom(patrold, model('m')), reason: note }),
    fc.record({ kind: fc.constant('gone'), reason: fc.constant('removed') }),
    fc.record({ kind: fc.constant('absent'), lookAtMs: fc.constant(nowMs), reason: fc.constant('no longer held') }),
    fc.record({
      kind: fc.constant('unobserved'),
      code: fc.constantFrom('timed_out', 'warming_up'),
      reason: fc.constant('no answer'),
    }),
    fc.record({ kind: fc.constant('folded'), under: fc.constantFrom('f1', 'f2') }),
    fc.constant<FindingEvent>({ kind: 'unfolded' }),
    fc.record({ kind: fc.constant('declined'), reason: fc.constant('harmless') }),
  );

const otherAt = (): fc.Arbitrary<FindingEvent> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('suppressed'),
      suppressionId: fc.constantFrom('s1', 's2'),
      actor: fc.constant(operator('ann')),
      reason: note,
    }),
    fc.record({
      kind: fc.constant('unsuppressed'),
      suppressionId: fc.constantFrom('s1', 's2'),
      actor: fc.constant(operator('ann')),
    }),
    fc.constant<FindingEvent>({ kind: 'investigation_started' }),
    fc.record({ kind: fc.constant('investigation_ended'), outcome, fix: note }),
    fc.record({ kind: fc.constant('fix_progressed'), outcome: fc.constantFrom(...INVESTIGATION_OUTCOMES), fix: note }),
    fc.constant<FindingEvent>({ kind: 'time_passed' }),
  );

export interface Happening {
  readonly event: FindingEvent;
  readonly nowMs: number;
}

/** Between a minute and three days apart, so that windows, snoozes and reminders begin and end. */
export const happenings = (startMs: number, maxLength = 40): fc.Arbitrary<readonly Happening[]> =>
  fc.array(fc.integer({ min: 1, max: 3 * 24 * 60 }), { maxLength }).chain((minutes) => {
    let atMs = startMs;
    const instants = minutes.map((gap) => (atMs += gap * 60_000));
    return fc.tuple(
      ...instants.map((nowMs) =>
        fc.oneof({ weight: 3, arbitrary: lookAt(nowMs) }, verbAt(nowMs), otherAt()).map((event) => ({ event, nowMs })),
      ),
    );
  });
