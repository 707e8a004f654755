/** The two due times after an instant, by a calendar event of Proxmox in a node's zone. */
import { type CalendarEvent, parseCalendarEvent } from './calendar-event.ts';
import { createEventReckoner } from './next-events.ts';

export interface DueTimes {
  /** Null: the event or the zone is not understood. */
  after(schedule: string, afterMs: number, timeZone: string): readonly [number, number] | null;
}

/** For one survey: thousands of guests share a few schedules. */
export const createDueTimes = (): DueTimes => {
  const reckoner = createEventReckoner();
  const events = new Map<string, CalendarEvent | null>();
  return {
    after: (schedule, afterMs, timeZone) => {
      const known = events.get(schedule);
      const event = known === undefined ? parseCalendarEvent(schedule) : known;
      events.set(schedule, event);
      const [first, second] = event === null ? [] : (reckoner.nextEvents(event, afterMs, timeZone, 2) ?? []);
      return first === undefined || second === undefined ? null : [first, second];
    },
  };
};
