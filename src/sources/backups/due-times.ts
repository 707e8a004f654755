/** When a backup is due after the last good one: as the operator says, else as its timer says. */
import type { BackupSchedule } from '../../../signals/reading.ts';
import type { CommandRunner } from '../../runtime/command.ts';
import { nextTimes } from './calendar.ts';
import type { Timer } from './timer.ts';

export interface DueQuestion {
  /** Start of the last good archive; without one, when the backup came to be known. */
  readonly afterMs: number;
  readonly everyMs: number | null;
  readonly timer: Timer | null;
  readonly usualDurationMs: number | null;
}

/** Null: nothing says when. */
export const dueTimes = async (
  question: DueQuestion,
  commands: CommandRunner,
  signal: AbortSignal,
): Promise<BackupSchedule | null> => {
  const { afterMs, everyMs, timer, usualDurationMs } = question;
  if (everyMs !== null) {
    return {
      description: `every ${formatSpan(everyMs)}`,
      dueAtMs: [afterMs + everyMs, afterMs + 2 * everyMs],
      usualDurationMs,
    };
  }
  // A timer that is off is no schedule; that it is off is told apart (`coveredByJob`).
  if (timer === null || !timer.isActive) return null;
  const dueAtMs = await ofTimer(timer, afterMs, commands, signal);
  if (dueAtMs === null) return null;
  const { randomDelayMs } = timer;
  return {
    description: describe(timer),
    dueAtMs: [dueAtMs[0] + randomDelayMs, dueAtMs[1] + randomDelayMs],
    usualDurationMs,
  };
};

const ofTimer = async (
  timer: Timer,
  afterMs: number,
  commands: CommandRunner,
  signal: AbortSignal,
): Promise<readonly [number, number] | null> => {
  const times: number[] = [];
  for (const calendar of timer.calendars) {
    const next = await nextTimes(calendar, afterMs, commands, signal);
    if (next === null) return byPeriod(timer, afterMs);
    times.push(...next);
  }
  const [first, second] = times.toSorted((a, b) => a - b).filter((atMs, index, all) => atMs !== all[index - 1]);
  if (first !== undefined && second !== undefined) return [first, second];
  if (timer.intervalMs !== null) return [afterMs + timer.intervalMs, afterMs + 2 * timer.intervalMs];
  return byPeriod(timer, afterMs);
};

/** Without systemd's own reckoning: as if the time between its last event and its next one were always the same. */
export const byPeriod = ({ lastAtMs, nextAtMs }: Timer, afterMs: number): readonly [number, number] | null => {
  if (lastAtMs === null || nextAtMs === null || nextAtMs <= lastAtMs) return null;
  const periodMs = nextAtMs - lastAtMs;
  const firstMs = nextAtMs - Math.floor((nextAtMs - afterMs - 1) / periodMs) * periodMs;
  return [firstMs, firstMs + periodMs];
};

const describe = ({ name, calendars, intervalMs }: Timer): string => {
  const [calendar] = calendars;
  if (calendar !== undefined) return `${calendars.join(', ')} (${name})`;
  return intervalMs === null ? name : `every ${formatSpan(intervalMs)} (${name})`;
};

const SPANS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

const formatSpan = (ms: number): string => {
  for (const [unit, unitMs] of SPANS)
    if (ms >= unitMs && ms % unitMs === 0) return `${ms / unitMs}${unit === 'd' ? ' d' : ` ${unit}`}`;
  return `${Math.round(ms / 1_000)} s`;
};
