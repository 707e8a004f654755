import { expect, test } from 'vitest';
import { newest, newestBy } from '../../signals/newest.ts';

const at = (takenAtMs: number, name = 'a') => ({ takenAtMs, name });

test('the newest is found wherever it is, the first of equals', () => {
  const first = at(5);
  expect(newest([at(1), first, at(5), at(2)])).toBe(first);
  expect(newest([])).toBeUndefined();
});

test('the newest of each subject is found, in the order in which subjects come', () => {
  const found = newestBy([at(1, 'b'), at(3, 'a'), at(2, 'b')], ({ name }) => name);
  expect([...found]).toEqual([
    ['b', at(2, 'b')],
    ['a', at(3, 'a')],
  ]);
});
