/** (finding, event, now) -> what becomes of it. Pure, and the only way in which a finding changes. */
import type { FindingEvent, InvestigationEvent, RuleEvent } from './event.ts';
import { type Finding, undecided } from './finding.ts';
import { patrold } from './history-entry.ts';
import { isFixed } from './investigation.ts';
import { applyLook } from './look.ts';
import { entry, type Outcome, type Step, step, unchanged } from './step.ts';
import { applyVerb } from './verb.ts';

export const transition = (finding: Finding, event: FindingEvent, nowMs: number): Outcome => {
  switch (event.kind) {
    case 'seen':
    case 'cleared':
    case 'gone':
    case 'absent':
    case 'unobserved':
    case 'folded':
    case 'unfolded':
    case 'declined':
    case 'assessed':
      return applyLook(finding, event, nowMs);
    case 'acknowledge':
    case 'unacknowledge':
    case 'snooze':
    case 'unsnooze':
    case 'dismiss':
    case 'undismiss':
    case 'resolve':
    case 'note':
      return applyVerb(finding, event, nowMs);
    case 'suppressed':
    case 'unsuppressed':
      return applyRule(finding, event, nowMs);
    case 'investigation_started':
    case 'investigation_ended':
    case 'fix_progressed':
      return applyInvestigation(finding, event, nowMs);
    case 'time_passed':
      return passTime(finding, nowMs);
  }
};

const applyRule = (finding: Finding, event: RuleEvent, nowMs: number): Step => {
  const { disposition: before } = finding;
  const under = before.kind === 'suppressed' ? before.suppressionId : null;
  if (event.kind === 'unsuppressed') {
    if (under !== event.suppressionId) return unchanged(finding);
    return step(
      { ...finding, disposition: undecided },
      entry('unsuppressed', finding, nowMs, event.actor, null, { rule: under }),
    );
  }
  // The first rule to cover it stands; where it goes and another covers it too, that one is applied then.
  if (under !== null) return unchanged(finding);
  const data = { rule: event.suppressionId, ...(before.kind === 'none' ? {} : { from: before.kind }) };
  const disposition = { kind: 'suppressed', suppressionId: event.suppressionId, atMs: nowMs } as const;
  return step({ ...finding, disposition }, entry('suppressed', finding, nowMs, event.actor, event.reason, data));
};

const applyInvestigation = (finding: Finding, event: InvestigationEvent, nowMs: number): Step => {
  const { investigation: before, episode } = finding;
  if (event.kind === 'investigation_started') {
    if (before.running) return unchanged(finding);
    const investigation = { ...before, running: true, attempts: before.attempts + 1 };
    return step(
      { ...finding, investigation },
      entry('investigation_started', finding, nowMs, patrold, null, { attempt: investigation.attempts }),
    );
  }
  const ends = event.kind === 'investigation_ended';
  if (ends && !before.running) return unchanged(finding);
  if (!ends && before.outcome === event.outcome) return unchanged(finding);
  const investigation = {
    ...before,
    running: ends ? false : before.running,
    outcome: event.outcome ?? before.outcome,
    lastEndedAtMs: nowMs,
  };
  const lastFix =
    event.fix !== null && isFixed(event.outcome) ? { how: event.fix, episode, atMs: nowMs } : finding.lastFix;
  const data = event.outcome === null ? {} : { outcome: event.outcome };
  return step({ ...finding, investigation, lastFix }, entry(event.kind, finding, nowMs, patrold, event.fix, data));
};

/** When time alone will change it next; null: it will not. */
export const wakesAtMs = ({ disposition }: Pick<Finding, 'disposition'>): number | null => {
  if (disposition.kind === 'snoozed') return disposition.untilMs;
  return disposition.kind === 'dismissed' ? disposition.remindAtMs : null;
};

const passTime = (finding: Finding, nowMs: number): Step => {
  const atMs = wakesAtMs(finding);
  if (atMs === null || nowMs < atMs) return unchanged(finding);
  const kind = finding.disposition.kind === 'snoozed' ? 'snooze_expired' : 'reminder';
  return step({ ...finding, disposition: undecided }, entry(kind, finding, nowMs, patrold));
};
