/** A finding's first moment, and the first moment of each later episode. */
import type { ResourceId } from '../signals/resource.ts';
import { escalationOf } from './escalation.ts';
import type { Filing } from './filing.ts';
import { type Disposition, type Finding, type FindingId, undecided } from './finding.ts';
import { type Entry, patrold } from './history-entry.ts';
import { neverInvestigated } from './investigation.ts';
import { entry, type Step, step } from './step.ts';

export interface Identity {
  readonly id: FindingId;
  readonly resourceId: ResourceId;
  readonly key: string;
}

/** What the filing says, as far as it belongs to the finding as it is now. */
const contentOf = (filing: Filing, nowMs: number) => ({
  detector: filing.detector,
  severity: filing.severity,
  category: filing.category,
  title: filing.title,
  summary: filing.summary,
  clearsWhen: filing.clearsWhen,
  level: filing.level,
  details: filing.details,
  sourceIds: filing.sourceIds,
  evidence: filing.evidence,
  sinceMs: Math.min(filing.sinceMs ?? nowMs, nowMs),
});

/** Nothing of an earlier episode holds on to the next one. */
const freshEpisode = (filing: Filing, nowMs: number) => ({
  ...contentOf(filing, nowMs),
  filedBy: filing.origin,
  explanation: null,
  declineReason: null,
  state: 'active' as const,
  stale: null,
  absence: null,
  foldedUnder: null,
  resolution: null,
  openedAtMs: nowMs,
  lastSignalAtMs: filing.origin === 'signal' ? nowMs : null,
  investigation: neverInvestigated,
});

export const open = (identity: Identity, filing: Filing, nowMs: number): Step => {
  const finding: Finding = {
    ...identity,
    ...freshEpisode(filing, nowMs),
    disposition: undecided,
    episode: 1,
    regressions: 0,
    firstSeenAtMs: nowMs,
    lastSeenAtMs: nowMs,
    lastFix: null,
  };
  const opened = entry('opened', finding, nowMs, filing.actor, null, {
    severity: filing.severity,
    filedBy: filing.origin,
  });
  return step(finding, opened);
};

/** It was over and is back: a new episode, with fresh attempts, that remembers what ended the last one. */
export const regress = (before: Finding, filing: Filing, nowMs: number): Step => {
  const kept = keptDisposition(before.disposition, filing);
  const finding: Finding = {
    ...before,
    ...freshEpisode(filing, nowMs),
    detector: filing.detector ?? before.detector,
    disposition: kept.disposition,
    episode: before.episode + 1,
    regressions: before.regressions + 1,
    lastSeenAtMs: Math.max(before.lastSeenAtMs, nowMs),
  };
  const regressed = entry('regressed', finding, nowMs, filing.actor, before.lastFix?.how ?? null, {
    severity: filing.severity,
    filedBy: filing.origin,
  });
  const escalated: Entry[] =
    kept.ended === null
      ? []
      : [entry('escalated', finding, nowMs, patrold, null, { ended: kept.ended, to: filing.severity })];
  return step(finding, regressed, ...escalated);
};

/** "This is expected" outlives an episode, unless what comes back is worse than what was decided about. */
const keptDisposition = (
  disposition: Disposition,
  filing: Filing,
): { readonly disposition: Disposition; readonly ended: string | null } => {
  if (disposition.kind === 'none' || disposition.kind === 'suppressed') return { disposition, ended: null };
  const escalation = escalationOf(disposition.mark, filing.severity, filing.level);
  const breaks = escalation === 'severity' || (escalation === 'value' && disposition.kind !== 'snoozed');
  return breaks ? { disposition: undecided, ended: disposition.kind } : { disposition, ended: null };
};
