import { expect, it } from 'vitest';
import { usageItem } from '../../../src/sources/proxmox-backup/answers.ts';
import { toStore } from '../../../src/sources/proxmox-backup/backup-store.ts';
import { spaceOwners } from '../../../src/sources/proxmox-backup/store-space.ts';
import { datastoreUsage } from '../../support/proxmox-backup-answers.ts';

const store = (name: string, used: number, avail: number) =>
  toStore(usageItem.parse(datastoreUsage(name, { used, avail, total: used + avail })), undefined);

it('datasets of one pool share what is free: the fullest speaks for all', () => {
  const owners = spaceOwners([store('a', 1e12, 4e12), store('b', 2e12, 4e12 + 1e6), store('c', 2e12, 3e12)]);
  expect([...owners]).toEqual([
    ['datastore:b', 'datastore:b'],
    ['datastore:c', 'datastore:c'],
    ['datastore:a', 'datastore:b'],
  ]);
});

it('alike ones have the same speaker however they are listed, and full ones share nothing', () => {
  const alike = [store('b', 1e12, 4e12), store('a', 1e12, 4e12)];
  expect(spaceOwners(alike).get('datastore:b')).toBe('datastore:a');
  expect(spaceOwners(alike.toReversed()).get('datastore:b')).toBe('datastore:a');
  expect([...spaceOwners([store('a', 1e12, 0), store('b', 2e12, 0)])]).toEqual([]);
});
