/** What `systemctl show` prints of one unit: `Property=value`, some of them several times. Pure. */

export interface UnitProperties {
  /** Empty where it is not printed. */
  get(name: string): string;
  all(name: string): readonly string[];
  /** Epoch milliseconds; null where it never happened. */
  atMs(name: string): number | null;
}

/** As printed in UTC: `Thu 2026-08-27 03:35:00 UTC`, or with microseconds; `@1791459000` from newer versions. */
const STAMP = /^(?:\w{3} )?(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d* UTC$/;

export const parseTimestamp = (text: string): number | null => {
  const [, date, time] = STAMP.exec(text) ?? [];
  if (date !== undefined) return Date.parse(`${date}T${time}Z`);
  const seconds = /^@(\d{1,11}(?:\.\d+)?)$/.exec(text)?.[1];
  return seconds === undefined ? null : Math.round(Number(seconds) * 1_000);
};

/** Of more properties than are asked for; a guard. */
const MAX_LINES = 1_000;

export const parseShow = (stdout: string): UnitProperties => {
  const values = new Map<string, string[]>();
  for (const line of stdout.split('\n').slice(0, MAX_LINES)) {
    const [, name, value] = /^([A-Za-z0-9]+)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const list = values.get(name);
    if (list === undefined) values.set(name, [value]);
    else list.push(value);
  }
  const all = (name: string): readonly string[] => values.get(name) ?? [];
  const get = (name: string): string => all(name)[0] ?? '';
  return { all, get, atMs: (name) => parseTimestamp(get(name)) };
};
