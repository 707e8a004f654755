/** Two findings about what turned out to be one problem on one resource: the older one goes on. Pure. */
import { isWorse } from '../signals/detector.ts';
import { type Finding, type FindingId, undecided } from './finding.ts';
import { patrold } from './history-entry.ts';
import { resolved } from './look.ts';
import { entry, type Step, step } from './step.ts';

export interface Merged {
  readonly survivor: Step;
  /** The other one's last state and history row, before it becomes an alias. */
  readonly ended: Step;
}

export const olderFirst = (a: Finding, b: Finding): readonly [Finding, Finding] =>
  a.firstSeenAtMs < b.firstSeenAtMs || (a.firstSeenAtMs === b.firstSeenAtMs && a.id <= b.id) ? [a, b] : [b, a];

/** What is active stays active, an operator's decision about either is kept, the worse severity holds until the next look. */
export const mergeFindings = (older: Finding, younger: Finding, nowMs: number): Merged => {
  const survivor =
    older.state === 'active' || younger.state !== 'active' ? carryOn(older, younger) : takeOver(older, younger);
  const decision = younger.disposition.kind === 'none' ? {} : { otherDisposition: younger.disposition.kind };
  const merged = entry('merged', survivor, nowMs, patrold, 'its resource proved to be the same', {
    with: younger.id,
    ...decision,
  });
  const ended =
    younger.state === 'active'
      ? resolved(younger, { by: 'merged', reason: `goes on as ${older.id}`, atMs: nowMs, confirmed: true })
      : younger;
  return {
    survivor: step(survivor, merged),
    ended: step(ended, entry('merged', younger, nowMs, patrold, null, { into: older.id })),
  };
};

const keptDecision = (older: Finding, younger: Finding): Finding['disposition'] => {
  if (older.disposition.kind !== 'none') return older.disposition;
  return older.state === younger.state || younger.state === 'active' ? younger.disposition : undecided;
};

const carryOn = (older: Finding, younger: Finding): Finding => {
  const fresher = older.state === younger.state && younger.lastSeenAtMs > older.lastSeenAtMs ? younger : older;
  const worse =
    younger.state === older.state && isWorse(younger.severity, older.severity) ? younger.severity : older.severity;
  return {
    ...older,
    detector: older.detector ?? younger.detector,
    severity: worse,
    summary: fresher.summary,
    level: fresher.level,
    details: fresher.details,
    evidence: fresher.evidence,
    sourceIds: [...new Set([...older.sourceIds, ...younger.sourceIds])],
    disposition: keptDecision(older, younger),
    stale: older.stale === null || younger.stale === null ? null : older.stale,
    absence: null,
    regressions: older.regressions + younger.regressions,
    sinceMs: Math.min(older.sinceMs, younger.sinceMs),
    lastSeenAtMs: Math.max(older.lastSeenAtMs, younger.lastSeenAtMs),
    lastFix: older.lastFix ?? younger.lastFix,
  };
};

/** The older one was over, the younger one is not: its episode goes on as the older one's next. */
const takeOver = (older: Finding, younger: Finding): Finding => ({
  ...younger,
  id: older.id,
  disposition: keptDecision(older, younger),
  episode: older.episode + 1,
  regressions: older.regressions + younger.regressions + 1,
  firstSeenAtMs: older.firstSeenAtMs,
  lastFix: younger.lastFix ?? older.lastFix,
});

/** What folded under one that went on as another folds under that. */
export const refolded = (finding: Finding, gone: FindingId, into: FindingId): Finding =>
  finding.foldedUnder === gone ? { ...finding, foldedUnder: into } : finding;
