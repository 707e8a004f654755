import { expect, it } from 'vitest';
import { isDoubtful } from '../../../src/sources/proxmox-ve/emptied.ts';
import { createMemoryState } from '../../support/memory-state.ts';

it('doubts a list that is empty after it was not, once', () => {
  const state = createMemoryState();
  const look = (count: number): boolean => isDoubtful(state, 'jobs', count);
  expect([0, 3, 0, 0, 2, 0, 1].map(look)).toEqual([false, false, true, false, false, true, false]);
});

it('keeps lists apart', () => {
  const state = createMemoryState();
  isDoubtful(state, 'a', 3);
  expect([isDoubtful(state, 'b', 0), isDoubtful(state, 'a', 0)]).toEqual([false, true]);
});
