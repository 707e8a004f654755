import { expect, it } from 'vitest';
import { groupOfTask, wentWell } from '../../../src/sources/proxmox-backup/tasks.ts';

it.each([
  ['store1:vm/100', { store: 'store1', namespace: null, group: 'vm/100' }],
  ['store-1:ct/a_b.c', { store: 'store-1', namespace: null, group: 'ct/a_b.c' }],
  ['store1:site-a/b:host/nas', { store: 'store1', namespace: 'site-a/b', group: 'host/nas' }],
  ['store1', null],
  ['store1:other/100', null],
  [undefined, null],
])('the task %s is about %o', (worker_id, group) => {
  expect(groupOfTask({ worker_id })).toEqual(group);
});

it.each([
  ['OK', true],
  ['WARNINGS: 3', true],
  ['unknown', false],
  ['connection error: Connection reset by peer (os error 104)', false],
])('%s', (status, isGood) => {
  expect(wentWell(status)).toBe(isGood);
});
