/** What a look at the infrastructure makes of a finding. Pure. */
import { isWorse } from '../signals/detector.ts';
import { escalationOf } from './escalation.ts';
import type { LookEvent } from './event.ts';
import type { Filing } from './filing.ts';
import { type Disposition, type Finding, type Resolution, type ResolvedBy, undecided } from './finding.ts';
import { type Actor, type Entry, patrold } from './history-entry.ts';
import { regress } from './open.ts';
import { entry, notAllowed, type Outcome, type Step, step, unchanged } from './step.ts';

/** Two looks closer together than this are one (DETECTORS.md rule 1). */
export const LOOKS_APART_MS = 60_000;
/** A subject that this many whole looks no longer hold is gone (rule 12). */
export const LOOKS_UNTIL_GONE = 2;
/** What no detector can confirm, and is reported again within a day of being closed by hand, was never over. */
export const UNOWNED_REOPENS_WITHIN_MS = 24 * 3_600_000;

export const applyLook = (finding: Finding, event: LookEvent, nowMs: number): Outcome => {
  switch (event.kind) {
    case 'seen':
      return seen(finding, event.filing, nowMs);
    case 'cleared':
      return cleared(finding, event.actor, event.reason, nowMs);
    case 'gone':
      return over(finding, 'gone', patrold, event.reason, nowMs);
    case 'absent':
      return absent(finding, event.lookAtMs, event.reason, nowMs);
    case 'unobserved':
      return unobserved(finding, event, nowMs);
    case 'folded':
      if (finding.state !== 'active' || finding.foldedUnder === event.under || finding.id === event.under)
        return unchanged(finding);
      return step(
        { ...finding, foldedUnder: event.under },
        entry('folded', finding, nowMs, patrold, null, { under: event.under }),
      );
    case 'unfolded':
      if (finding.foldedUnder === null) return unchanged(finding);
      return step({ ...finding, foldedUnder: null }, entry('unfolded', finding, nowMs, patrold));
    case 'declined':
      return unchanged({ ...finding, declineReason: event.reason });
    case 'assessed':
      return assessed(finding, event, nowMs);
  }
};

/** What no detector looks after is seen when a model sees it; for the rest that is their detectors' to say. */
const assessed = (finding: Finding, event: Extract<LookEvent, { kind: 'assessed' }>, nowMs: number): Outcome => {
  if (finding.state !== 'active') return notAllowed('it is resolved: there is nothing to assess');
  const { verdict, reason, actor, changed } = event;
  const isSeen = verdict === 'present' && finding.detector === null;
  const next = isSeen ? { ...finding, lastSeenAtMs: Math.max(finding.lastSeenAtMs, nowMs) } : finding;
  return changed ? step(next, entry('assessed', finding, nowMs, actor, reason, { verdict })) : unchanged(next);
};

const seen = (finding: Finding, filing: Filing, nowMs: number): Step => {
  if (finding.state === 'active') return refresh(finding, filing, nowMs, []);
  if (!stillRaised(finding, filing, nowMs)) return regress(finding, filing, nowMs);
  const reopened: Finding = { ...finding, state: 'active', resolution: null };
  return refresh(reopened, filing, nowMs, [
    entry('reopened', finding, nowMs, filing.actor, 'closed by hand, but still there'),
  ]);
};

/** Whether an operator closed it and nothing has confirmed since that it is over. */
const stillRaised = ({ resolution, detector }: Finding, filing: Filing, nowMs: number): boolean => {
  if (resolution === null || resolution.by !== 'operator' || resolution.confirmed) return false;
  return detector !== null || filing.detector !== null || nowMs - resolution.atMs < UNOWNED_REOPENS_WITHIN_MS;
};

const refresh = (before: Finding, filing: Filing, nowMs: number, entries: readonly Entry[]): Step => {
  if (outranked(before, filing)) return explain(before, filing, entries);
  const observed = before.stale === null ? [] : [entry('observed', before, nowMs, patrold)];
  const next: Finding = {
    ...before,
    ...(filing.origin === 'signal' ? signalContent(before, filing, nowMs) : reportContent(filing)),
    detector: filing.detector ?? before.detector,
    severity: filing.severity,
    sinceMs: Math.min(before.sinceMs, filing.sinceMs ?? nowMs),
    stale: null,
    absence: null,
    lastSeenAtMs: Math.max(before.lastSeenAtMs, nowMs),
  };
  const severity = follow(before, next, filing, nowMs);
  return step(severity.finding, ...entries, ...observed, ...severity.entries);
};

/** What a detector showed in this episode, or a person filed, is not a model's to change. */
const outranked = ({ lastSignalAtMs, filedBy }: Finding, { origin }: Filing): boolean =>
  (origin !== 'signal' && lastSignalAtMs !== null) || (origin === 'model' && filedBy === 'operator');

/** The data's words are the finding's; what a model wrote before becomes its explanation. */
const signalContent = (before: Finding, filing: Filing, nowMs: number) => ({
  category: filing.category,
  title: filing.title,
  summary: filing.summary,
  explanation: before.lastSignalAtMs === null && before.filedBy !== 'signal' ? before.summary : before.explanation,
  clearsWhen: filing.clearsWhen,
  level: filing.level,
  details: filing.details,
  sourceIds: filing.sourceIds,
  evidence: filing.evidence,
  lastSignalAtMs: nowMs,
});

/** Title and category stay as they were first filed: other words are no news. */
const reportContent = (filing: Filing) => ({ summary: filing.summary, evidence: filing.evidence });

const explain = (finding: Finding, filing: Filing, entries: readonly Entry[]): Step =>
  step({ ...finding, explanation: filing.summary, declineReason: null }, ...entries);

/** The severity follows what is seen, up and down; worse than a decision was made at is news again. */
const follow = (before: Finding, next: Finding, filing: Filing, nowMs: number): Step => {
  const data = {
    from: before.severity,
    to: next.severity,
    ...(next.level === null ? {} : { value: next.level.value, unit: next.level.unit }),
  };
  const ended = endedBy(next);
  if (ended !== null) {
    const escalated = entry('escalated', before, nowMs, filing.actor, ended, { ...data, ended: next.disposition.kind });
    return step({ ...next, disposition: undecided }, escalated);
  }
  if (before.severity === next.severity) return unchanged(next);
  const kind = isWorse(next.severity, before.severity) ? 'worsened' : 'eased';
  return step(next, entry(kind, before, nowMs, filing.actor, null, data));
};

/** Why the decision about it no longer holds; null: it does. A snooze gives way to a worse severity alone. */
const endedBy = ({ disposition, severity, level }: Finding): string | null => {
  if (disposition.kind === 'none' || disposition.kind === 'suppressed') return null;
  const escalation = escalationOf(disposition.mark, severity, level);
  if (escalation === 'severity') return `worse than when it was ${disposition.kind}`;
  return escalation === 'value' && disposition.kind !== 'snoozed'
    ? `clearly further off than when it was ${disposition.kind}`
    : null;
};

const cleared = (finding: Finding, actor: Actor, reason: string | null, nowMs: number): Outcome => {
  if (actor.kind === 'model' && finding.detector !== null) {
    return notAllowed(`${finding.detector} rules this finding; only its own verdict ends it`);
  }
  if (actor.kind === 'model' && finding.filedBy === 'operator') return notAllowed('a person filed this finding');
  return over(finding, actor.kind === 'model' ? 'model' : 'clear', actor, reason, nowMs);
};

const over = (
  finding: Finding,
  by: 'clear' | 'gone' | 'model',
  actor: Actor,
  reason: string | null,
  nowMs: number,
): Step => {
  if (finding.state === 'active')
    return step(
      resolved(finding, { by, reason, atMs: nowMs, confirmed: true }),
      ending(finding, by, actor, reason, nowMs),
    );
  const { resolution } = finding;
  if (resolution === null || resolution.confirmed) return unchanged(finding);
  return step(
    { ...finding, absence: null, resolution: { ...resolution, confirmed: true } },
    entry('confirmed', finding, nowMs, actor, reason, { by }),
  );
};

const ending = (finding: Finding, by: ResolvedBy, actor: Actor, reason: string | null, nowMs: number): Entry => {
  const ended = keptWhenOver(finding.disposition) === finding.disposition ? {} : { ended: finding.disposition.kind };
  return entry(by === 'gone' ? 'gone' : 'cleared', finding, nowMs, actor, reason, {
    severity: finding.severity,
    ...ended,
  });
};

/** The state of a finding whose episode is over. */
export const resolved = (finding: Finding, resolution: Resolution): Finding => ({
  ...finding,
  state: 'resolved',
  disposition: keptWhenOver(finding.disposition),
  stale: null,
  absence: null,
  foldedUnder: null,
  resolution,
});

/** "I have seen it" and "I will fix it" are about the episode; the other decisions are about the problem. */
const keptWhenOver = (disposition: Disposition): Disposition => {
  if (disposition.kind === 'acknowledged') return undecided;
  return disposition.kind === 'dismissed' && disposition.reason === 'will_fix_later' ? undecided : disposition;
};

const absent = (finding: Finding, lookAtMs: number, reason: string, nowMs: number): Step => {
  const { absence } = finding;
  if (absence !== null && lookAtMs - absence.lastLookAtMs < LOOKS_APART_MS) return unchanged(finding);
  const looks = (absence?.looks ?? 0) + 1;
  if (looks >= LOOKS_UNTIL_GONE) return over(finding, 'gone', patrold, reason, nowMs);
  const next: Finding = { ...finding, absence: { looks, lastLookAtMs: lookAtMs } };
  return finding.state === 'active'
    ? stale(next, { kind: 'unobserved', code: 'confirming', reason }, nowMs)
    : unchanged(next);
};

const unobserved = (finding: Finding, event: Extract<LookEvent, { kind: 'unobserved' }>, nowMs: number): Step =>
  finding.state === 'active' ? stale(finding, event, nowMs) : unchanged(finding);

/** Going stale is history once; why it still is may change without a row. */
const stale = (finding: Finding, { code, reason }: Extract<LookEvent, { kind: 'unobserved' }>, nowMs: number): Step => {
  const next: Finding = { ...finding, stale: { code, reason, sinceMs: finding.stale?.sinceMs ?? nowMs } };
  return finding.stale === null
    ? step(next, entry('stale', finding, nowMs, patrold, reason, { code }))
    : unchanged(next);
};
