/** What an operator's decision makes of a finding. Pure. */
import type { VerbEvent } from './event.ts';
import { type DismissalReason, type Disposition, type Finding, type Mark, markOf, undecided } from './finding.ts';
import { operator } from './history-entry.ts';
import { resolved } from './look.ts';
import { entry, invalid, notAllowed, type Outcome, step, unchanged } from './step.ts';

const HOUR_MS = 3_600_000;
export const SHORTEST_SNOOZE_MS = HOUR_MS;
export const LONGEST_SNOOZE_MS = 7 * 24 * HOUR_MS;
export const REMINDER_AFTER_MS = 7 * 24 * HOUR_MS;
/** What a client's clock may be off by when it computes `untilMs` from a duration. */
const SNOOZE_TOLERANCE_MS = 60_000;

export const applyVerb = (finding: Finding, event: VerbEvent, nowMs: number): Outcome => {
  switch (event.kind) {
    case 'acknowledge':
      return acknowledge(finding, event, nowMs);
    case 'snooze':
      return snooze(finding, event, nowMs);
    case 'dismiss':
      return dismiss(finding, event, nowMs);
    case 'unacknowledge':
      return undo(finding, 'acknowledged', 'unacknowledged', event.by, nowMs);
    case 'unsnooze':
      return undo(finding, 'snoozed', 'unsnoozed', event.by, nowMs);
    case 'undismiss':
      return undo(finding, 'dismissed', 'undismissed', event.by, nowMs);
    case 'resolve':
      return resolve(finding, event, nowMs);
    case 'note':
      if (event.note === '') return invalid('a note needs words');
      return step(finding, entry('noted', finding, nowMs, operator(event.by), event.note));
  }
};

type Of<K extends VerbEvent['kind']> = Extract<VerbEvent, { readonly kind: K }>;

const underRule = (finding: Finding): Outcome | null =>
  finding.disposition.kind === 'suppressed'
    ? notAllowed(`rule ${finding.disposition.suppressionId} suppresses it: remove that first`)
    : null;

const sameMark = (a: Mark, b: Mark): boolean => a.severity === b.severity && a.value === b.value && a.unit === b.unit;

const acknowledge = (finding: Finding, { by, note }: Of<'acknowledge'>, nowMs: number): Outcome => {
  const refused = underRule(finding);
  if (refused !== null) return refused;
  if (finding.state !== 'active') return notAllowed('it is resolved: there is nothing to acknowledge');
  const mark = markOf(finding);
  const { disposition: before } = finding;
  // The same decision at the same figure says nothing new; at another figure it moves the bar for the next escalation.
  if (before.kind === 'acknowledged' && before.note === note && sameMark(before.mark, mark)) return unchanged(finding);
  const disposition: Disposition = { kind: 'acknowledged', by, atMs: nowMs, note, mark };
  return step(
    { ...finding, disposition },
    entry('acknowledged', finding, nowMs, operator(by), note, markFacts(mark, before)),
  );
};

const markFacts = ({ severity, value, unit }: Mark, before: Disposition) => ({
  severity,
  ...(value === null ? {} : { value }),
  ...(unit === null ? {} : { unit }),
  ...(before.kind === 'none' ? {} : { from: before.kind }),
});

const snooze = (finding: Finding, { by, untilMs, note }: Of<'snooze'>, nowMs: number): Outcome => {
  const refused = underRule(finding);
  if (refused !== null) return refused;
  if (finding.state !== 'active') return notAllowed('it is resolved: there is nothing to snooze');
  const forMs = untilMs - nowMs;
  if (!(forMs >= SHORTEST_SNOOZE_MS - SNOOZE_TOLERANCE_MS && forMs <= LONGEST_SNOOZE_MS + SNOOZE_TOLERANCE_MS)) {
    return invalid('a snooze lasts from 1 hour to 7 days');
  }
  const mark = markOf(finding);
  const { disposition: before } = finding;
  if (before.kind === 'snoozed' && before.untilMs === untilMs && before.note === note && sameMark(before.mark, mark))
    return unchanged(finding);
  const disposition: Disposition = { kind: 'snoozed', by, atMs: nowMs, untilMs, note, mark };
  return step(
    { ...finding, disposition },
    entry('snoozed', finding, nowMs, operator(by), note, { ...markFacts(mark, before), untilMs }),
  );
};

const dismiss = (finding: Finding, { by, reason, note }: Of<'dismiss'>, nowMs: number): Outcome => {
  const refused = underRule(finding);
  if (refused !== null) return refused;
  if (finding.state !== 'active' && reason === 'will_fix_later')
    return notAllowed('it is resolved: there is nothing left to fix');
  const mark = markOf(finding);
  const { disposition: before } = finding;
  const same =
    before.kind === 'dismissed' && before.reason === reason && before.note === note && sameMark(before.mark, mark);
  if (same) return unchanged(finding);
  const remindAtMs = remindAt(reason, nowMs);
  const disposition: Disposition = { kind: 'dismissed', reason, by, atMs: nowMs, remindAtMs, note, mark };
  const facts = { ...markFacts(mark, before), as: reason, ...(remindAtMs === null ? {} : { remindAtMs }) };
  return step({ ...finding, disposition }, entry('dismissed', finding, nowMs, operator(by), note, facts));
};

const remindAt = (reason: DismissalReason, nowMs: number): number | null =>
  reason === 'will_fix_later' ? nowMs + REMINDER_AFTER_MS : null;

const undo = (
  finding: Finding,
  from: Disposition['kind'],
  kind: 'unacknowledged' | 'unsnoozed' | 'undismissed',
  by: string,
  nowMs: number,
): Outcome => {
  if (finding.disposition.kind === 'none') return unchanged(finding);
  if (finding.disposition.kind !== from) return notAllowed(`it is ${finding.disposition.kind}, not ${from}`);
  return step({ ...finding, disposition: undecided }, entry(kind, finding, nowMs, operator(by)));
};

/** Closes the episode; the next look opens it again if the problem is still there. */
const resolve = (finding: Finding, { by, note }: Of<'resolve'>, nowMs: number): Outcome => {
  if (note === '') return invalid('resolving by hand needs a note: what was done');
  if (finding.state !== 'active') return notAllowed('it is resolved already');
  const closed = resolved(finding, { by: 'operator', reason: note, atMs: nowMs, confirmed: false });
  const lastFix = { how: note, episode: finding.episode, atMs: nowMs };
  const ended = closed.disposition === finding.disposition ? {} : { ended: finding.disposition.kind };
  const data = { severity: finding.severity, ...ended };
  return step({ ...closed, lastFix }, entry('resolved', finding, nowMs, operator(by), note, data));
};
