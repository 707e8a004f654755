/** Moves every instant in a recorded answer, so that a recording can be played at another time. */

/** RFC 3339, as the engine writes each of its instants. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
/** Names under which the engine writes epoch seconds, and epoch nanoseconds. */
const SECONDS: ReadonlySet<string> = new Set(['Created', 'time']);
const NANOSECONDS: ReadonlySet<string> = new Set(['timeNano']);
/** Nothing that the engine answers is deeper. */
const DEEPEST = 32;

export const moveTimes = (value: unknown, byMs: number, name = '', depth = 0): unknown => {
  if (byMs === 0 || depth > DEEPEST) return value;
  if (typeof value === 'string') return INSTANT.test(value) ? moveInstant(value, byMs) : value;
  if (typeof value === 'number') {
    if (SECONDS.has(name)) return value + Math.round(byMs / 1_000);
    return NANOSECONDS.has(name) ? value + byMs * 1e6 : value;
  }
  if (Array.isArray(value)) return value.map((item) => moveTimes(item, byMs, name, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, moveTimes(item, byMs, key, depth + 1)]));
};

/** Go's zero time stands for "never" and stays. */
const moveInstant = (text: string, byMs: number): string => {
  const ms = Date.parse(text);
  return Number.isNaN(ms) || ms <= 0 ? text : new Date(ms + byMs).toISOString();
};
