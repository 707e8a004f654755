/** How the name of an archive is made, and which date is in it. Pure. */
import { createZonedClock, type WallTime } from './zoned-instant.ts';

/** What a date in a name says; `dayOnly` where it has no time. */
export interface NamedDate {
  readonly atMs: number;
  readonly dayOnly: boolean;
}

export interface ArchivePattern {
  /** Undefined: the name does not match. Null: it matches, and holds no date. */
  dateIn(name: string): NamedDate | null | undefined;
}

const FIELDS = { Y: 4, m: 2, d: 2, H: 2, M: 2, S: 2 } as const;
type Field = keyof typeof FIELDS;
const isField = (text: string): text is Field => text in FIELDS;

/** What is wrong with a pattern, for people; null: nothing. */
export const archivePatternProblem = (pattern: string): string | null => {
  if (pattern.includes('/')) return 'must not hold a slash: it is about names inside the directory';
  const fields = [...pattern.matchAll(/%(.?)/g)].map(([, field = '']) => field);
  const odd = fields.find((field) => !isField(field) && field !== '%');
  if (odd !== undefined) return `%${odd} is not known: use %Y, %m, %d, %H, %M, %S, and %% for a percent sign`;
  const used = fields.filter(isField);
  const twice = used.find((field, index) => used.indexOf(field) !== index);
  if (twice !== undefined) return `%${twice} stands twice`;
  const has = (field: Field): boolean => used.includes(field);
  if (used.length > 0 && !(has('Y') && has('m') && has('d'))) return 'a date needs %Y, %m and %d';
  if ((has('M') && !has('H')) || (has('S') && !has('M'))) return 'a time needs %H, then %M, then %S';
  return null;
};

/** What stands between stars: of a fixed length, so that looking for it takes no longer than the name is. */
interface Segment {
  readonly source: string;
  readonly fields: readonly Field[];
  readonly length: number;
}

const toSegment = (text: string): Segment => {
  const fields: Field[] = [];
  let length = 0;
  const source = text.replaceAll(/%(.)|[^%]+/g, (part, letter: string | undefined) => {
    if (letter !== undefined && isField(letter)) {
      fields.push(letter);
      length += FIELDS[letter];
      return `(\\d{${FIELDS[letter]}})`;
    }
    const literal = letter ?? part;
    length += literal.length;
    return RegExp.escape(literal);
  });
  return { source, fields, length };
};

type Values = Map<Field, number>;

/** Null: it does not match. The first segment stands at the beginning, the last at the end, the others in between. */
const match = (segments: readonly Segment[], name: string): Values | null => {
  const values: Values = new Map();
  let position = 0;
  for (const [index, { source, fields, length }] of segments.entries()) {
    const isLast = index === segments.length - 1;
    const start = isLast && index > 0 ? Math.max(position, name.length - length) : position;
    const isFixed = index === 0 || isLast;
    const expression = new RegExp(isLast ? `(?:${source})$` : source, isFixed ? 'sy' : 'sg');
    expression.lastIndex = start;
    const found = expression.exec(name);
    if (found === null) return null;
    fields.forEach((field, at) => {
      values.set(field, Number(found[at + 1]));
    });
    position = found.index + length;
  }
  return values;
};

/** The pattern must be one that {@link archivePatternProblem} finds nothing wrong with. */
export const createArchivePattern = (pattern: string, timeZone: string): ArchivePattern => {
  const segments = pattern.split(/\*+/).map(toSegment);
  const zone = createZonedClock(timeZone);
  const hasDate = segments.some(({ fields }) => fields.length > 0);
  return {
    dateIn: (name) => {
      const values = match(segments, name);
      if (values === null) return undefined;
      if (!hasDate) return null;
      const get = (field: Field): number => values.get(field) ?? 0;
      const time: WallTime = {
        year: get('Y'),
        month: get('m'),
        day: get('d'),
        hour: get('H'),
        minute: get('M'),
        second: get('S'),
      };
      const atMs = zone.instantMs(time);
      return atMs === null ? undefined : { atMs, dayOnly: !values.has('H') };
    },
  };
};
