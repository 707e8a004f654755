/**
 * Cron expressions in a time zone. node-cron parses and matches; when they are due is computed here, because a run must
 * come exactly once on the nights when clocks change: a time that is skipped is due right after the gap, a time that
 * comes twice is due the first time. Expressions that hold in every hour follow elapsed time instead.
 */
import { createTask, parse, validateDetailed } from 'node-cron';
import { PatroldError } from '../runtime/errors.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const REMEMBERED_DAYS = 64;
/** 29 February comes once in eight years at worst (around 2100); no expression that can match waits longer. */
const SEARCH_MS = 8 * 366 * 24 * HOUR_MS;
/** The largest change of a zone's offset that is looked for; real ones are two hours at most. */
const LARGEST_SHIFT_MS = 3 * HOUR_MS;

export interface CronSchedule {
  readonly expression: string;
  readonly timeZone: string;
  /** The first due instant after `ms`, a whole minute; null: never. */
  nextAfter(ms: number): number | null;
}

const invalid = (expression: string, why: string): PatroldError =>
  new PatroldError('schedule_invalid', `"${expression}" is no schedule: ${why}`);

/** The wall clock of a zone, written as if it were UTC, to the minute. */
const zoneClock = (timeZone: string): ((ms: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const read = (ms: number): number => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(ms)) part[type] = Number(value);
    return Date.UTC(part['year'] ?? 0, (part['month'] ?? 1) - 1, part['day'], part['hour'], part['minute']);
  };
  const offsetAt = (ms: number): number => read(ms) - Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  // Days without a change of the offset, which are nearly all, cost one look at the zone's rules.
  const stable = new Map<number, number | null>();
  const stableOffset = (day: number): number | null => {
    const known = stable.get(day);
    if (known !== undefined) return known;
    const offsetMs = offsetAt(day * DAY_MS);
    const found = offsetMs === offsetAt((day + 1) * DAY_MS) ? offsetMs : null;
    if (stable.size >= REMEMBERED_DAYS) stable.clear();
    stable.set(day, found);
    return found;
  };
  return (ms) => {
    const offsetMs = stableOffset(Math.floor(ms / DAY_MS));
    return offsetMs === null ? read(ms) : Math.floor(ms / MINUTE_MS) * MINUTE_MS + offsetMs;
  };
};

const assertValid = (expression: string, timeZone: string): void => {
  if (expression.trim().split(/\s+/).length !== 5)
    throw invalid(expression, 'it needs five fields: minute hour day month weekday');
  const [error] = validateDetailed(expression).errors;
  if (error !== undefined) throw invalid(expression, error.message);
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
  } catch (cause) {
    throw new PatroldError('schedule_invalid', `"${timeZone}" is no IANA time zone, such as Europe/Vienna`, { cause });
  }
};

/** Whether the date of a wall clock matches; the library is asked once a day, since its answers are slow. */
const dayMatcher = (expression: string): ((wallMs: number) => boolean) => {
  const task = createTask(`* * ${expression.trim().split(/\s+/).slice(2).join(' ')}`, () => undefined, {
    timezone: 'UTC',
  });
  let last = { day: Number.NaN, matches: false };
  return (wallMs) => {
    const day = Math.floor(wallMs / DAY_MS);
    if (day !== last.day) last = { day, matches: task.match(new Date(wallMs)) };
    return last.matches;
  };
};

/** Throws `schedule_invalid`. */
export const parseCron = (expression: string, timeZone: string): CronSchedule => {
  assertValid(expression, timeZone);
  const wallClock = zoneClock(timeZone);
  const { hour: hours, minute: minutes } = parse(expression);
  const everyHour = hours.length === 24;
  const dayMatches = dayMatcher(expression);
  const matches = (wallMs: number): boolean => {
    const wall = new Date(wallMs);
    return minutes.includes(wall.getUTCMinutes()) && hours.includes(wall.getUTCHours()) && dayMatches(wallMs);
  };
  /** Minutes that can be passed over unseen: to the end of an hour or a day in which nothing can match. */
  const idleMs = (ms: number, wallMs: number): number => {
    const toNextDayMs = DAY_MS - (wallMs % DAY_MS);
    const toNextHourMs = HOUR_MS - (wallMs % HOUR_MS);
    const isPlain = (spanMs: number): boolean => wallClock(ms + spanMs) - wallMs === spanMs;
    if (!dayMatches(wallMs) && isPlain(toNextDayMs)) return toNextDayMs;
    return !hours.includes(new Date(wallMs).getUTCHours()) && isPlain(toNextHourMs) ? toNextHourMs : 0;
  };

  const isRepeated = (ms: number, wallMs: number): boolean => {
    const shiftMs = wallClock(ms - LARGEST_SHIFT_MS) - (ms - LARGEST_SHIFT_MS) - (wallMs - ms);
    return shiftMs > 0 && wallClock(ms - shiftMs) === wallMs;
  };
  const skippedMatch = (beforeWallMs: number, wallMs: number): boolean => {
    for (let skipped = beforeWallMs + MINUTE_MS; skipped < wallMs; skipped += MINUTE_MS) {
      if (matches(skipped)) return true;
    }
    return false;
  };
  const isDue = (ms: number, wallMs: number, beforeWallMs: number): boolean => {
    if (everyHour) return matches(wallMs);
    if (wallMs - beforeWallMs > MINUTE_MS && skippedMatch(beforeWallMs, wallMs)) return true;
    return matches(wallMs) && !isRepeated(ms, wallMs);
  };

  const nextAfter = (ms: number): number | null => {
    let at = (Math.floor(ms / MINUTE_MS) + 1) * MINUTE_MS;
    const end = at + SEARCH_MS;
    let beforeWallMs = wallClock(at - MINUTE_MS);
    while (at < end) {
      const wallMs = wallClock(at);
      if (isDue(at, wallMs, beforeWallMs)) return at;
      const stepMs = Math.max(MINUTE_MS, idleMs(at, wallMs));
      at += stepMs;
      beforeWallMs = stepMs === MINUTE_MS ? wallMs : wallMs + stepMs - MINUTE_MS;
    }
    return null;
  };
  return { expression, timeZone, nextAfter };
};
