/** A calendar event as Proxmox writes it: a subset of systemd.time(7). Pure. */
import { componentOf, type Values } from './component.ts';

export interface CalendarEvent {
  /** 0 is Sunday; null: any. */
  readonly weekdays: ReadonlySet<number> | null;
  /** Null: any. */
  readonly years: ReadonlySet<number> | null;
  readonly months: ReadonlySet<number> | null;
  readonly days: ReadonlySet<number> | null;
  /** Ascending. */
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
  /** Written with `UTC` behind it: whatever the zone of its node is. */
  readonly isUtc: boolean;
}

const NAMES: Readonly<Record<string, string>> = {
  minutely: '*:*',
  hourly: '*:0',
  daily: '0:0',
  weekly: 'mon 0:0',
  monthly: '*-*-1 0:0',
  yearly: '*-1-1 0:0',
  annually: '*-1-1 0:0',
  quarterly: '*-1,4,7,10-1 0:0',
  semiannually: '*-1,7-1 0:0',
  'semi-annually': '*-1,7-1 0:0',
};

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
/** Longer texts are none that anybody wrote. */
const MAX_LENGTH = 200;
const FIRST_YEAR = 1970;
const LAST_YEAR = 9999;

/** Null where it is none. */
export const parseCalendarEvent = (text: string): CalendarEvent | null => {
  const written = text
    .slice(0, MAX_LENGTH + 1)
    .trim()
    .toLowerCase();
  if (written === '' || written.length > MAX_LENGTH) return null;
  const isUtc = / utc$/.test(written);
  const plain = written.replace(/ utc$/, '').trim();
  const words = (NAMES[plain] ?? plain).split(/\s+/);
  const weekdays = /^[a-z]/.test(words[0] ?? '') ? parseWeekdays(words.shift() ?? '') : null;
  if (weekdays === undefined) return null;
  const date = words.length > 0 && isDate(words[0] ?? '') ? parseDate(words.shift() ?? '') : ANY_DATE;
  const time = words.length > 0 ? parseTime(words.shift() ?? '') : MIDNIGHT;
  if (date === null || time === null || words.length > 0) return null;
  return { weekdays, ...date, ...time, isUtc };
};

const weekdayOf = (word: string): number | undefined => {
  const index = word.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(word));
  return index === -1 ? undefined : index;
};

/** `mon..fri,sun`; undefined where a word is none. */
const parseWeekdays = (word: string): ReadonlySet<number> | undefined => {
  const days = new Set<number>();
  for (const part of word.split(',')) {
    const [first, last, ...more] = part.split('..').map(weekdayOf);
    if (first === undefined || more.length > 0 || (part.includes('..') && last === undefined)) return undefined;
    // A range may go over the end of the week.
    for (let day = first; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === (last ?? first)) break;
    }
  }
  return days;
};

type DatePart = Pick<CalendarEvent, 'years' | 'months' | 'days'>;
const ANY_DATE: DatePart = { years: null, months: null, days: null };

const isDate = (word: string): boolean => word.includes('-') && !word.includes(':');

const setOf = (values: Values): ReadonlySet<number> | null => (values === 'any' ? null : new Set(values));

/** `2026-*-1..7`, `12-31`. */
const parseDate = (word: string): DatePart | null => {
  const parts = word.split('-');
  const [day = '', month = '', year = '*', ...more] = parts.toReversed();
  if (parts.length < 2 || more.length > 0) return null;
  const years = componentOf(year, FIRST_YEAR, LAST_YEAR);
  const months = componentOf(month, 1, 12);
  const days = componentOf(day, 1, 31);
  if (years === null || months === null || days === null) return null;
  return { years: setOf(years), months: setOf(months), days: setOf(days) };
};

type TimePart = Pick<CalendarEvent, 'hours' | 'minutes' | 'seconds'>;
const MIDNIGHT: TimePart = { hours: [0], minutes: [0], seconds: [0] };

const every = (count: number): readonly number[] => Array.from({ length: count }, (_each, index) => index);
const listOf = (values: Values, count: number): readonly number[] => (values === 'any' ? every(count) : values);

/** `2:30`, `8..18:0/15`; one number alone is the minute of every hour. */
const parseTime = (word: string): TimePart | null => {
  const parts = word.split(':');
  if (parts.length > 3) return null;
  const [hour, minute, second] =
    parts.length === 1 ? ['*', parts[0] ?? '', '0'] : [parts[0], parts[1], parts[2] ?? '0'];
  const hours = componentOf(hour ?? '', 0, 23);
  const minutes = componentOf(minute ?? '', 0, 59);
  const seconds = componentOf(second ?? '', 0, 59);
  if (hours === null || minutes === null || seconds === null) return null;
  return { hours: listOf(hours, 24), minutes: listOf(minutes, 60), seconds: listOf(seconds, 60) };
};
