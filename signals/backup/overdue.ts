/** Whether a backup is overdue: by its job's calendar, else by its age. Instants in epoch milliseconds. */
import type { Severity } from '../detector.ts';
import type { LevelSeverity } from '../hysteresis.ts';
import { type Bound, type EffectiveLimit, isWritten, type LimitOrigin } from '../limit.ts';
import type { BackupSchedule } from '../reading.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a run may take, where nothing is known of it; else twice what it usually takes. */
const LEAST_GRACE_MS = 2 * HOUR_MS;

/** What was never backed up: so old, it should have been; so old, nobody is going to. */
export const NEVER_AFTER_MS = { warning: DAY_MS, critical: 7 * DAY_MS } as const;

export interface OverdueInput {
  /** Null: nothing but the age counts. */
  readonly schedule: BackupSchedule | null;
  readonly running: boolean;
  /** False: there never was a backup, and `fromMs` is when the thing came to be. */
  readonly hasBackup: boolean;
  /** Start of the last good backup. */
  readonly fromMs: number;
  readonly limit: EffectiveLimit;
  /** What it was before: a grace that was over does not begin again. */
  readonly before: Severity | null;
  readonly nowMs: number;
}

export interface Overdue {
  readonly severity: LevelSeverity;
  /** In hours of age. */
  readonly bound: Bound;
}

interface Deadlines {
  readonly warningAtMs: number | null;
  readonly criticalAtMs: number | null;
  readonly origin: LimitOrigin;
}

/** Null: it is not. */
export const overdue = (input: OverdueInput): Overdue | null => {
  const { fromMs, nowMs } = input;
  const { warningAtMs, criticalAtMs, origin } = deadlinesOf(input);
  const boundAt = (atMs: number): Bound => {
    const trigger = (atMs - fromMs) / HOUR_MS;
    return { trigger, clear: trigger, origin };
  };
  if (criticalAtMs !== null && nowMs >= criticalAtMs) return { severity: 'critical', bound: boundAt(criticalAtMs) };
  if (warningAtMs !== null && nowMs >= warningAtMs) return { severity: 'warning', bound: boundAt(warningAtMs) };
  return null;
};

/** What the operator wrote as an age is taken as written, whatever the calendar says. */
const deadlinesOf = (input: OverdueInput): Deadlines => {
  const { schedule, hasBackup, fromMs, limit } = input;
  const isAgeWritten = limit.warning !== null && isWritten(limit.warning.origin);
  const byCalendar = schedule === null || isAgeWritten ? null : calendarDeadlines(schedule, input);
  const known = byCalendar ?? ageDeadlines(input);
  if (hasBackup || isAgeWritten) return known;
  const never = { warning: fromMs + NEVER_AFTER_MS.warning, critical: fromMs + NEVER_AFTER_MS.critical };
  // A job that is due later than that is not overdue before.
  const at = (deadlineMs: number | null, neverMs: number): number | null =>
    deadlineMs === null ? null : byCalendar === null ? neverMs : Math.max(deadlineMs, neverMs);
  const origin: LimitOrigin = byCalendar?.origin ?? { kind: 'derived', reason: 'it was never backed up' };
  return {
    warningAtMs: at(known.warningAtMs, never.warning),
    criticalAtMs: at(known.criticalAtMs, never.critical),
    origin,
  };
};

const calendarDeadlines = (
  { dueAtMs, description, usualDurationMs }: BackupSchedule,
  { running, before, limit }: OverdueInput,
): Deadlines => {
  const onceMs = Math.max(LEAST_GRACE_MS, 2 * (usualDurationMs ?? 0));
  // A run that is under way may yet be the one; one that hangs hides nothing for longer than twice the grace.
  const graceMs = running ? 2 * onceMs : onceMs;
  return {
    warningAtMs: limit.warning === null ? null : dueAtMs[0] + (before === null ? graceMs : 0),
    criticalAtMs: limit.critical === null ? null : dueAtMs[1] + (before === 'critical' ? 0 : graceMs),
    origin: { kind: 'derived', reason: `the job's calendar: ${description}` },
  };
};

const ageDeadlines = ({ fromMs, running, before, limit }: OverdueInput): Deadlines => {
  const graceMs = running && before === null ? LEAST_GRACE_MS : 0;
  const criticalHours = criticalAgeHours(limit);
  return {
    warningAtMs: limit.warning === null ? null : fromMs + limit.warning.trigger * HOUR_MS + graceMs,
    criticalAtMs: criticalHours === null ? null : fromMs + criticalHours * HOUR_MS + graceMs,
    origin: (limit.warning ?? limit.critical)?.origin ?? { kind: 'default' },
  };
};

/** A critical limit that nobody wrote is twice the warning. */
const criticalAgeHours = ({ warning, critical }: EffectiveLimit): number | null => {
  if (critical === null || warning === null || isWritten(critical.origin)) return critical?.trigger ?? null;
  return 2 * warning.trigger;
};
