/** How the name of an archive is made, and which date is in it. Pure. */
import { type WallTime, zonedInstantMs } from './zoned-instant.ts';

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

/** The pattern must be one that {@link archivePatternProblem} finds nothing wrong with. */
export const createArchivePattern = (pattern: string, timeZone: string): ArchivePattern => {
  const fields: Field[] = [];
  const source = pattern.replaceAll(/%(.)|\*+|[^%*]+/g, (part, letter: string | undefined) => {
    if (part.startsWith('*')) return '.*';
    if (letter === undefined) return RegExp.escape(part);
    if (!isField(letter)) return RegExp.escape(letter);
    fields.push(letter);
    return `(\\d{${FIELDS[letter]}})`;
  });
  const expression = new RegExp(`^${source}$`, 's');
  return {
    dateIn: (name) => {
      const match = expression.exec(name);
      if (match === null) return undefined;
      if (fields.length === 0) return null;
      const number = (field: Field): number => Number(match[fields.indexOf(field) + 1] ?? 0);
      const time: WallTime = {
        year: number('Y'),
        month: number('m'),
        day: number('d'),
        hour: fields.includes('H') ? number('H') : 0,
        minute: fields.includes('M') ? number('M') : 0,
        second: fields.includes('S') ? number('S') : 0,
      };
      const atMs = zonedInstantMs(time, timeZone);
      return atMs === null ? undefined : { atMs, dayOnly: !fields.includes('H') };
    },
  };
};
