/** Arguments of a call as one text, the same for the same arguments however they were ordered. */

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
};

export const canonicalArguments = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'null';
