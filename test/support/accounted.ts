/** What every sighting owes: a reading or a gap for each thing that it undertook to deliver, and nothing that can't be. */
import { implausible } from '../../signals/plausible.ts';
import type { Reading } from '../../signals/reading.ts';
import { asResourceId } from '../../signals/resource.ts';
import type { Sighting } from '../../src/sources/source.ts';

export const unaccounted = ({ claims, readings, gaps }: Sighting): readonly string[] => [
  ...claims.flatMap(({ ref, expects }) =>
    expects.flatMap((kind) => {
      const isRead = readings.some((reading) => reading.ref === ref && reading.kind === kind);
      const isGap = gaps.some(
        (gap) => (gap.ref === ref || gap.ref === null) && (gap.reads.length === 0 || gap.reads.includes(kind)),
      );
      return isRead || isGap ? [] : [`${ref} owes ${kind}`];
    }),
  ),
  ...readings.flatMap((reading) => {
    const stamped = {
      ...reading,
      id: 'e',
      resourceId: asResourceId('r'),
      sourceId: 's',
      receivedAtMs: reading.takenAtMs,
    };
    const why = implausible(stamped as Reading);
    return why === null ? [] : [`${reading.ref}: ${why}`];
  }),
  ...claims.flatMap(({ ref, keys, name }) => (keys.length === 0 || name === '' ? [`${ref} has no key or name`] : [])),
  ...duplicates(claims.map(({ ref }) => ref)).map((ref) => `${ref} is claimed twice`),
];

const duplicates = (values: readonly string[]): readonly string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);
