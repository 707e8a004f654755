import { expect, test } from 'vitest';
import { canonicalId, createIds, ID_LENGTH, SHORT_ID_LENGTH, shortId } from '../../src/runtime/ids.ts';

test('ids are unique, of one length, and sort by the millisecond in which they were made', () => {
  let nowMs = 1_700_000_000_000;
  const newId = createIds(() => nowMs++);
  const ids = Array.from({ length: 2000 }, newId);
  expect(new Set(ids).size).toBe(2000);
  expect(ids).toEqual(ids.toSorted());
  expect(ids.every((id) => id.length === ID_LENGTH && /^[0-9a-hjkmnp-tv-z]+$/.test(id))).toBe(true);
});

test('ids of one millisecond differ in the part that people are shown', () => {
  const newId = createIds(() => 1_700_000_000_000);
  const ids = Array.from({ length: 1000 }, newId);
  expect(new Set(ids.map(shortId)).size).toBe(1000);
  expect(shortId(ids[0] ?? '')).toHaveLength(SHORT_ID_LENGTH);
});

test('the layout is that of a ULID', () => {
  // The specification's own example of the time part: 1469918176385 is 01ARYZ6S41.
  const newId = createIds(
    () => 1_469_918_176_385,
    (bytes) => bytes.fill(31),
  );
  expect(newId()).toBe(`01aryz6s41${'z'.repeat(16)}`);
});

test('a clock before the epoch makes an id all the same', () => {
  expect(createIds(() => -5)().startsWith('0000000000')).toBe(true);
});

test('letters that are taken for digits are read as those', () => {
  expect(canonicalId(' 01ARYZ6S4L-O ')).toBe('01aryz6s41-0');
});
