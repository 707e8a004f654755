import { expect, it } from 'vitest';
import { type GroupEntry, keepGroups, recallGroups } from '../../../src/sources/proxmox-backup/group-memory.ts';
import { createMemoryState } from '../../support/memory-state.ts';

const memoryOf = (count: number, entry: GroupEntry, prefix = '') =>
  new Map([
    [
      'a/b',
      {
        emptied: false,
        groups: new Map(Array.from({ length: count }, (_, index) => [`vm/${prefix}${index}`, entry] as const)),
      },
    ],
  ]);

it('comes back as it was', () => {
  const state = createMemoryState();
  const memory = memoryOf(3, { l: 1, f: true, c: 2, r: 3, g: 1, v: 1, u: 1, p: 0, x: [1] });
  keepGroups(state, 'store1', memory);
  expect(recallGroups(state, 'store1')).toEqual(memory);
  expect(recallGroups(state, 'store2')).toEqual(new Map());
});

it('fits into one value of a source’s state whatever there is, by leaving out what can be learned again', () => {
  const state = createMemoryState();
  const big: GroupEntry = {
    l: 1_773_144_000,
    f: false,
    c: 99,
    r: 1_773_144_000,
    v: 50,
    u: 49,
    p: 9,
    x: Array(5).fill(1e9),
  };
  keepGroups(state, 'store1', memoryOf(6_000, big, 'x'.repeat(60)));
  expect(state.size('groups/store1')).toBeLessThan(1_048_576);
  expect(recallGroups(state, 'store1').get('a/b')?.groups.size).toBe(6_000);
});

it('is none where somebody else wrote there', () => {
  expect(recallGroups(createMemoryState({ 'groups/s': { '': { groups: [1] } } }), 's')).toEqual(new Map());
});
