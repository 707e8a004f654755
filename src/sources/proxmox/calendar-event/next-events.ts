/** When a calendar event comes next, by the wall clock of a time zone. Pure. */
import { createZonedClock, type WallTime, type ZonedClock } from '../../backups/zoned-instant.ts';
import type { CalendarEvent } from './calendar-event.ts';

/** An event that comes on no day of so many comes never (30 February). */
const LOOK_AHEAD_DAYS = 366 * 8;
const DAY_MS = 86_400_000;

/** Clocks by zone: making one is what takes time. */
const createClocks = () => {
  const clocks = new Map<string, ZonedClock | null>();
  return (timeZone: string): ZonedClock | null => {
    const known = clocks.get(timeZone);
    if (known !== undefined) return known;
    let clock: ZonedClock | null = null;
    try {
      clock = createZonedClock(timeZone);
    } catch {
      // No zone that this system knows.
    }
    clocks.set(timeZone, clock);
    return clock;
  };
};

export interface EventReckoner {
  /** The next `count` instants after `afterMs`, ascending; null: the zone is unknown, or there are not so many. */
  nextEvents(event: CalendarEvent, afterMs: number, timeZone: string, count: number): readonly number[] | null;
}

export const createEventReckoner = (): EventReckoner => {
  const clockOf = createClocks();
  return {
    nextEvents: (event, afterMs, timeZone, count) => {
      const clock = clockOf(event.isUtc ? 'UTC' : timeZone);
      if (clock === null) return null;
      const found: number[] = [];
      for (const atMs of eventsAfter(event, afterMs, clock)) {
        found.push(atMs);
        if (found.length === count) return found;
      }
      return null;
    },
  };
};

function* eventsAfter(event: CalendarEvent, afterMs: number, clock: ZonedClock): Generator<number> {
  const begin = clock.wallTime(afterMs);
  // Noon in UTC of a date stands for the date.
  const firstDayMs = Date.UTC(begin.year, begin.month - 1, begin.day, 12);
  let lastMs = afterMs;
  for (let day = 0; day <= LOOK_AHEAD_DAYS; day += 1) {
    const date = new Date(firstDayMs + day * DAY_MS);
    if (!isOnDay(event, date)) continue;
    for (const atMs of timesOn(event, date, clock, day === 0 ? begin : null)) {
      // Two wall times can be one instant where a clock change skips an hour.
      if (atMs <= lastMs) continue;
      lastMs = atMs;
      yield atMs;
    }
  }
}

const isOnDay = ({ weekdays, years, months, days }: CalendarEvent, date: Date): boolean =>
  (weekdays?.has(date.getUTCDay()) ?? true) &&
  (years?.has(date.getUTCFullYear()) ?? true) &&
  (months?.has(date.getUTCMonth() + 1) ?? true) &&
  (days?.has(date.getUTCDate()) ?? true);

/** On the first day hours that are long over are passed by; a clock change moves them by less than that. */
function* timesOn(event: CalendarEvent, date: Date, clock: ZonedClock, begin: WallTime | null): Generator<number> {
  const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  for (const hour of event.hours) {
    if (begin !== null && hour < begin.hour - 3) continue;
    for (const minute of event.minutes) {
      for (const second of event.seconds) {
        const atMs = clock.instantMs({ ...day, hour, minute, second });
        if (atMs !== null) yield atMs;
      }
    }
  }
}
