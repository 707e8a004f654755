/** One component of a calendar event: `*`, `5`, `1,3`, `8..18`, `0/15`, a star with a step. Pure. */

/** Ascending, each once. */
export type Values = 'any' | readonly number[];

/** Null where it is none, or holds a value outside its range. */
export const componentOf = (text: string, least: number, most: number): Values | null => {
  if (text === '*') return 'any';
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const range = rangeOf(part, least, most);
    if (range === null) return null;
    for (let value = range.first; value <= range.last; value += range.step) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
};

interface Range {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

const PART = /^(?:(\*)|(\d{1,4})(?:\.\.(\d{1,4}))?)(?:\/(\d{1,4}))?$/;

/** A step without an end goes on to the end of the range. */
const rangeOf = (part: string, least: number, most: number): Range | null => {
  const match = PART.exec(part);
  if (match === null) return null;
  const [, any, from, to, by] = match;
  const first = any === undefined ? Number(from) : least;
  const openEnd = any !== undefined || by !== undefined ? most : first;
  const last = to === undefined ? openEnd : Number(to);
  const step = by === undefined ? 1 : Number(by);
  return first < least || last > most || first > last || step < 1 ? null : { first, last, step };
};
