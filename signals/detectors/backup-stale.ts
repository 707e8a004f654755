/** A thing whose last good backup is too old, that has none, or that no job makes one of. */
import { BACKUP_KINDS } from '../backup/backup-kinds.ts';
import { byTarget, type TargetBackups } from '../backup/by-target.ts';
import { NEVER_AFTER_MS, type Overdue, overdue } from '../backup/overdue.ts';
import {
  clear,
  type DetectorInput,
  defineDetector,
  isWorse,
  type Judgement,
  type Severity,
  unobserved,
} from '../detector.ts';
import { formatDuration, formatOrigin } from '../format.ts';
import { FUTURE_TOLERANCE_MS } from '../freshness.ts';
import { confirming, lasting } from '../lasting.ts';
import { type EffectiveLimit, isWritten } from '../limit.ts';

const HOUR_MS = 3_600_000;

type Input = DetectorInput<'backup', 'backupAge'>;
type Raised = Extract<Judgement, { readonly state: 'raised' }>;

const limitText = ({ bound }: Overdue): string =>
  `limit ${formatDuration(bound.trigger * HOUR_MS)} (${formatOrigin(bound.origin)})`;

const raised = (
  input: Input,
  subject: string | null,
  fromMs: number,
  found: Overdue,
  rest: Pick<Raised, 'summary' | 'clearsWhen' | 'evidence'>,
): Raised => ({
  state: 'raised',
  subject,
  severity: found.severity,
  level: { value: Math.max(0, input.nowMs - fromMs) / HOUR_MS, limit: found.bound, unit: 'hours' },
  ...rest,
});

/** What was overdue does not get better by losing the last backup that there was. */
const neverBetter = (found: Overdue | null, before: Severity | null, limit: EffectiveLimit): Overdue | null => {
  if (before !== 'warning' && before !== 'critical') return found;
  const bound = found?.bound ?? limit.warning;
  if (bound === null || (found === null && isWritten(bound.origin))) return found;
  return { severity: found === null || isWorse(before, found.severity) ? before : found.severity, bound };
};

const judgeTarget = (input: Input, backups: TargetBackups): Judgement => {
  const { limits, nowMs } = input;
  const { target, newestGoodAtMs, resourceSinceMs, running, evidence } = backups;
  const known = input.before(target);
  const hasBackup = newestGoodAtMs !== null;
  if (hasBackup && newestGoodAtMs > nowMs + FUTURE_TOLERANCE_MS)
    return unobserved('future', `the newest backup on ${target} is dated in the future: check its clock`, target);
  const streak = lasting({ nowMs, before: known, forMs: NEVER_AFTER_MS.warning });
  const fromMs = newestGoodAtMs ?? resourceSinceMs ?? streak.bad.sinceMs;
  const before = known?.severity ?? null;
  const limit = limits.backupAge;
  const reckoned = overdue({ ...backups, hasBackup, fromMs, limit, before, nowMs });
  const found = hasBackup ? reckoned : neverBetter(reckoned, before, limit);
  if (found === null && !hasBackup && resourceSinceMs === null)
    return confirming(
      `there is no backup on ${target}, and since when there should be one is not known`,
      streak,
      nowMs,
      target,
    );
  if (found === null) return clear(target);
  const age = formatDuration(nowMs - fromMs);
  const what = hasBackup
    ? `the last good backup to ${target} was begun ${age} ago`
    : `there is no good backup on ${target}, ${age} after there could have been one`;
  const judgement = raised(input, target, fromMs, found, {
    summary: `${what}, ${limitText(found)}${running ? '; a run is under way' : ''}`,
    clearsWhen: `a backup to ${target} succeeds`,
    evidence,
  });
  // Keeps the time of the first look, from which a thing without a known beginning is reckoned.
  return hasBackup || resourceSinceMs !== null ? judgement : { ...judgement, bad: streak.bad };
};

/** Of all targets, for a thing that no job includes: one finding, not one for each place where there is no backup. */
const judgeUncovered = (input: Input, targets: readonly TargetBackups[]): Judgement => {
  const { limits, before, nowMs } = input;
  const newest = targets.reduce<number | null>(
    (latest, { newestGoodAtMs }) =>
      newestGoodAtMs === null ? latest : Math.max(latest ?? newestGoodAtMs, newestGoodAtMs),
    null,
  );
  const since = targets.find(({ resourceSinceMs }) => resourceSinceMs !== null)?.resourceSinceMs ?? null;
  const fromMs = newest ?? since ?? before(null)?.sinceMs ?? nowMs;
  const known = before(null)?.severity ?? null;
  if (newest === null && since !== null && nowMs - since < NEVER_AFTER_MS.warning && known === null) return clear();
  const { warning } = limits.backupAge;
  const found = overdue({
    schedule: null,
    running: false,
    hasBackup: newest !== null,
    fromMs,
    limit: limits.backupAge,
    before: known,
    nowMs,
  });
  const last =
    newest === null
      ? 'there is no good backup of it'
      : `its last good backup was begun ${formatDuration(nowMs - newest)} ago`;
  return {
    state: 'raised',
    subject: null,
    severity: found?.severity ?? 'warning',
    level: { value: Math.max(0, nowMs - fromMs) / HOUR_MS, limit: found?.bound ?? warning, unit: 'hours' },
    summary: `no enabled backup job includes it; ${last}${found === null ? '' : `, ${limitText(found)}`}`,
    clearsWhen: 'an enabled job includes it',
    evidence: targets.flatMap(({ evidence }) => evidence),
  };
};

/** Null: no source can tell. */
const isCovered = (targets: readonly TargetBackups[]): boolean | null => {
  if (targets.some(({ coveredByJob }) => coveredByJob === true)) return true;
  return targets.every(({ coveredByJob }) => coveredByJob === false) ? false : null;
};

const coverage = (input: Input, covered: true | null): readonly Judgement[] => {
  if (covered !== null) return [clear()];
  return input.before(null) === null
    ? []
    : [unobserved('not_supported', 'whether a job includes it can no longer be told')];
};

/** Where only the store told of it, nobody said that there should be another one: then that can't be judged. */
const judgeStored = (
  input: Input,
  { target, archivesOnly }: TargetBackups,
  isJobTold: boolean,
): readonly Judgement[] => {
  if (!archivesOnly || isJobTold || input.before(target) === null) return [];
  return [unobserved('no_reading', `no source tells when a backup to ${target} is due`, target)];
};

export const backupStale = defineDetector({
  type: 'backup_stale',
  title: 'Backup is overdue',
  category: 'backup',
  kinds: BACKUP_KINDS,
  reads: ['backup'],
  sources: 'together',
  limits: {
    backupAge: {
      metric: 'backupAge',
      kinds: BACKUP_KINDS,
      unit: 'hours',
      direction: 'above',
      warning: 48,
      critical: 96,
      clearBy: 0,
      forMs: 0,
      because:
        'without a known job: a daily backup that was missed once; twice that is critical, also twice a warning that the operator wrote. A job calendar goes before the default, a written limit before the calendar',
    },
  },
  explain:
    "For each target (`backup_stale:<target>`): by the calendar of the job, in its own time zone, a warning when the next time that it was due after the last good start, and two hours or twice its usual duration, have passed, and critical when the one after that has. Without a known job by age. What was never backed up is a warning once it is a day old and critical at a week, or later where its job is not due before. A run that is under way puts it off, once and no longer than the grace, and takes nothing back. A thing that no enabled job includes is one finding of its own (`backup_stale`), whatever old backups there are, after its first day. What a store alone tells of, and no job or operator, has no time by which it is due. When a target can't be read its age is unobserved, and a backup dated in the future proves nothing.",
  detect: (input: Input): readonly Judgement[] => {
    const all = [...byTarget(input.readings).values()];
    const targets = all.filter(({ archivesOnly }) => !archivesOnly);
    const stored = all.flatMap((backups) => judgeStored(input, backups, targets.length > 0));
    if (targets.length === 0) return stored;
    const covered = isCovered(targets);
    if (covered === false) return [judgeUncovered(input, all)];
    return [...coverage(input, covered), ...targets.map((backups) => judgeTarget(input, backups))];
  },
});
