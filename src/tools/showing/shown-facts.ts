/** Facts of a reading as a model is shown them: short names, values with their units, and what is not known by name. */
import { shownText } from './shown-text.ts';

export type ShownValue = string | number | boolean | readonly ShownValue[] | ShownFacts;
export interface ShownFacts {
  readonly [name: string]: ShownValue;
}

/** Null: the source does not tell. Undefined: there is nothing to tell. */
export type Told = ShownValue | null | undefined;

/** Drops what is not there, and lists what is not known under `unknown`. Strings are made fit to be shown. */
export const facts = (told: Readonly<Record<string, Told>>): ShownFacts => {
  const shown: Record<string, ShownValue> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(told)) {
    if (value === null) unknown.push(name);
    else if (value !== undefined) shown[name] = shownValue(value);
  }
  return unknown.length === 0 ? shown : { ...shown, unknown };
};

const shownValue = (value: ShownValue): ShownValue => {
  if (typeof value === 'string') return shownText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? Math.round(value * 1_000) / 1_000 : 'unknown';
  if (typeof value === 'boolean') return value;
  if (isList(value)) return value.map(shownValue);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [shownText(name, 60), shownValue(one)]));
};

/** `Array.isArray` does not narrow readonly arrays. */
const isList = (value: ShownValue): value is readonly ShownValue[] => Array.isArray(value);

/** Of lists within one reading; the rest is counted. */
export const MAX_LISTED = 12;

export const listed = <T>(items: readonly T[], show: (item: T) => ShownValue): readonly ShownValue[] => [
  ...items.slice(0, MAX_LISTED).map(show),
  ...(items.length > MAX_LISTED ? [`and ${items.length - MAX_LISTED} more`] : []),
];

/** Undefined for an empty list: there is nothing to tell. */
export const listedIfAny = <T>(
  items: readonly T[],
  show: (item: T) => ShownValue,
): readonly ShownValue[] | undefined => (items.length === 0 ? undefined : listed(items, show));
