/** The instant of a wall clock's time in a time zone. Pure. */

export interface WallTime {
  readonly year: number;
  /** 1..12 */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export interface ZonedClock {
  /** Null where there is no such date (month 13, 31 February). In an hour that a clock change skips, the instant after it. */
  instantMs(time: WallTime): number | null;
  /** What the wall clock shows at an instant. */
  wallTime(atMs: number): WallTime;
}

/** Making the formatter is what takes time, so that one serves for many instants. */
export const createZonedClock = (timeZone: string): ZonedClock => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsetAt = (atMs: number): number => wallMs(format, atMs) - atMs;
  return {
    instantMs: (time) => {
      const asUtcMs = utcMs(time);
      if (asUtcMs === null) return null;
      // The offset at the first guess may be that of the other side of a clock change; the second guess settles it.
      return asUtcMs - offsetAt(asUtcMs - offsetAt(asUtcMs));
    },
    wallTime: (atMs) => wallTime(format, atMs),
  };
};

const utcMs = ({ year, month, day, hour, minute, second }: WallTime): number | null => {
  const asUtcMs = Date.UTC(year, month - 1, day, hour, minute, second);
  const read = new Date(asUtcMs);
  const isDate = read.getUTCFullYear() === year && read.getUTCMonth() === month - 1 && read.getUTCDate() === day;
  return !isDate || hour > 23 || minute > 59 || second > 59 ? null : asUtcMs;
};

const wallTime = (format: Intl.DateTimeFormat, atMs: number): WallTime => {
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const get = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return {
    year: get('year'),
    month: get('month'),
    day: get('day'),
    hour: get('hour'),
    minute: get('minute'),
    second: get('second'),
  };
};

const wallMs = (format: Intl.DateTimeFormat, atMs: number): number => {
  const { year, month, day, hour, minute, second } = wallTime(format, atMs);
  return Date.UTC(year, month - 1, day, hour, minute, second);
};
