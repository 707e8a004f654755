import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formerIdKey } from '../../signals/identity/alias.ts';
import { asResourceId, type Resource } from '../../signals/resource.ts';
import { createInventoryStore, HINT_KEPT_MS, type InventoryChange } from '../../src/evidence/inventory-store.ts';
import { openDatabase } from '../../src/runtime/database.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const DAY_MS = 86_400_000;
const nas = asResourceId('nas');

const open = () => {
  const db = openDatabase({ path: join(temporaryDirectory(), 'inventory.db') });
  onTestFinished(() => db.close());
  return createInventoryStore(db);
};

const resource = (id: string, more: Partial<Resource> = {}): Resource => ({
  id: asResourceId(id),
  kind: 'host',
  name: id,
  parentId: null,
  status: 'running',
  sourceIds: ['this-host'],
  tags: ['media'],
  expects: ['cpu'],
  facts: { cores: 4, arch: 'arm64', virtual: false },
  presence: 'observed',
  ...more,
});

const change = (more: Partial<InventoryChange>): InventoryChange => ({
  seen: [],
  aliases: [],
  confirmed: [],
  absent: [],
  merged: [],
  ...more,
});

const proof = (key: string, id: string) => ({ key, id: asResourceId(id), strength: 'proof' as const });
const hint = (key: string, id: string) => ({ key, id: asResourceId(id), strength: 'hint' as const });

test('a resource comes back as it was seen, with when that was', () => {
  const store = open();
  const { presence: _presence, ...seen } = resource('nas', { parentId: asResourceId('site') });
  store.write(change({ seen: [{ ...seen, presence: 'observed' }], aliases: [proof('host * machine-id:1', 'nas')] }), 5);
  const { resources, known } = store.load();
  expect(resources.get(nas)).toEqual({ ...seen, seenAtMs: 5, absentLooks: 0, goneAtMs: null });
  expect(known.aliasOf('host * machine-id:1')?.id).toBe('nas');
  expect(known.resourceOf(nas)?.presence).toBe('remembered');
});

test('what is absent is counted, what is gone is no longer among the known, and a return forgets both', () => {
  const store = open();
  store.write(change({ seen: [resource('nas')] }), 1);
  store.write(change({ absent: [{ id: nas, absentLooks: 1, gone: false }] }), 2);
  expect(store.load().resources.get(nas)).toMatchObject({ absentLooks: 1, goneAtMs: null });
  store.write(change({ absent: [{ id: nas, absentLooks: 2, gone: true }] }), 3);
  expect(store.load().resources.get(nas)).toMatchObject({ absentLooks: 2, goneAtMs: 3 });
  expect(store.load().known.resourceOf(nas)).toBeUndefined();
  expect(store.load().known.isTaken('nas')).toBe(true);
  store.write(change({ seen: [resource('nas')] }), 4);
  expect(store.load().resources.get(nas)).toMatchObject({ absentLooks: 0, goneAtMs: null, seenAtMs: 4 });
});

test('of two that are one the id that goes stays a name of the one that stays', () => {
  const store = open();
  store.write(
    change({ seen: [resource('nas'), resource('nas-2')], aliases: [proof('host * machine-id:2', 'nas-2')] }),
    1,
  );
  const merged = [{ from: asResourceId('nas-2'), into: nas }];
  store.write(change({ seen: [resource('nas')], merged, aliases: [proof(formerIdKey('nas-2'), 'nas')] }), 2);
  const { resources, known } = store.load();
  expect([...resources.keys()]).toEqual(['nas']);
  expect(known.aliasOf('host * machine-id:2')?.id).toBe('nas');
  expect(known.mergedInto(asResourceId('nas-2'))).toBe('nas');
});

test('what is gone for long enough is forgotten with its names, and what is there is not', () => {
  const store = open();
  const seen = [resource('nas'), resource('old')];
  store.write(change({ seen, aliases: [proof('k1', 'nas'), proof('k2', 'old')] }), 1);
  store.write(change({ absent: [{ id: asResourceId('old'), absentLooks: 2, gone: true }] }), 100);
  expect(store.prune(100)).toBe(0);
  expect(store.prune(101)).toBe(1);
  const { resources, known } = store.load();
  expect([...resources.keys()]).toEqual(['nas']);
  expect([known.aliasOf('k1')?.id, known.aliasOf('k2')]).toEqual(['nas', undefined]);
});

test('a hint that nothing confirmed for as long as its resource was seen is forgotten; proofs and confirmed hints stay', () => {
  const store = open();
  const aliases = [hint('host * boot:1', 'nas'), hint('host * name:nas', 'nas'), proof('host * machine-id:1', 'nas')];
  store.write(change({ seen: [resource('nas')], aliases }), 0);
  const later = HINT_KEPT_MS + 1;
  for (let atMs = DAY_MS; atMs <= later + DAY_MS; atMs += DAY_MS) {
    const seenAtMs = store.load().hintsSeenAtMs.get('host * name:nas') ?? 0;
    store.write(change({ seen: [resource('nas')], confirmed: [{ key: 'host * name:nas', seenAtMs }] }), atMs);
  }
  store.prune(0);
  const { known } = store.load();
  expect(known.aliasOf('host * boot:1')).toBeUndefined();
  expect(known.aliasOf('host * name:nas')?.id).toBe('nas');
  expect(known.aliasOf('host * machine-id:1')?.id).toBe('nas');
});

test('hints of a resource that nobody could see for a year are kept: its source may come back', () => {
  const store = open();
  store.write(change({ seen: [resource('nas')], aliases: [hint('host * name:nas', 'nas')] }), 0);
  store.write(change({ seen: [resource('other')] }), 365 * DAY_MS);
  store.prune(0);
  expect(store.load().known.aliasOf('host * name:nas')?.id).toBe('nas');
});

test('a confirmation is written once a day, not with every run', () => {
  const store = open();
  const key = 'host * name:nas';
  store.write(change({ seen: [resource('nas')], aliases: [hint(key, 'nas')] }), 0);
  store.write(change({ confirmed: [{ key, seenAtMs: 0 }] }), DAY_MS - 1);
  expect(store.load().hintsSeenAtMs.get(key)).toBe(0);
  store.write(change({ confirmed: [{ key, seenAtMs: 0 }] }), DAY_MS);
  expect(store.load().hintsSeenAtMs.get(key)).toBe(DAY_MS);
});
