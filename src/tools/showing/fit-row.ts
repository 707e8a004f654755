/** A row as one line that is never longer than it may be: long strings and lists within it give way, its beginning last. */
import { dataLine } from './fence.ts';
import { shownText } from './shown-text.ts';

/** The first cells name the thing; what they hold stays whole, so that it can be asked for. */
export interface RowCells {
  readonly named: readonly (string | null)[];
  readonly told: readonly unknown[];
}

/** Of a row where there is room for many. */
export const ROW_LENGTH = 1_500;

/** What strings and lists may have, from generous to bare. */
const STEPS = [
  { stringLength: 80, items: 8 },
  { stringLength: 40, items: 4 },
  { stringLength: 16, items: 2 },
] as const;

export const fitRow = ({ named, told }: RowCells, maxLength: number = ROW_LENGTH): string => {
  const whole = dataLine([...named, ...told]);
  if (whole.length <= maxLength) return whole;
  for (const step of STEPS) {
    const line = dataLine([...named, ...told.map((cell) => shrunk(cell, step))]);
    if (line.length <= maxLength) return line;
  }
  const bare = dataLine([...named, 'too much to be shown']);
  if (bare.length <= maxLength) return bare;
  return dataLine(['too much to be shown']);
};

const shrunk = (value: unknown, step: (typeof STEPS)[number]): unknown => {
  if (typeof value === 'string') return shownText(value, step.stringLength);
  if (Array.isArray(value)) {
    const kept = value.slice(0, step.items).map((item) => shrunk(item, step));
    return value.length > step.items ? [...kept, `and ${value.length - step.items} more`] : kept;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const kept = entries.slice(0, 2 * step.items).map(([name, item]) => [name, shrunk(item, step)] as const);
  return Object.fromEntries(entries.length > kept.length ? [...kept, ['more', entries.length - kept.length]] : kept);
};
