/** What one source says of another source's things, by the names to which they answer. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hint, proof, type ResourceClaim } from '../../../signals/claim.ts';
import { claimOf, createInventory, surveyOf } from '../../support/identities.ts';

const guest = (cluster: string, vmid: string, answersTo: readonly string[]): ResourceClaim =>
  claimOf('vm', `guest:${vmid}`, [proof(`guest:${cluster}/${vmid}`)], { name: `${cluster}-${vmid}`, answersTo });

const store = claimOf('datastore', 'store', [hint('store:s')]);
const group = (ref: string, ...attachesTo: readonly string[]): ResourceClaim =>
  claimOf('vm', ref, [], { parentRef: 'store', attachesTo, expects: ['backup'] });

test('readings about a group are about the guest that answers to one of its names', () => {
  const resolution = createInventory().run([
    surveyOf('pbs', [store, group('g1', 'group:by-fingerprint/1', 'group:by-address/1')]),
    surveyOf('pve', [guest('home', '1', ['group:by-address/1'])]),
  ]);
  expect(resolution.idOf('pbs', 'g1')).toBe('home-1');
  expect(resolution.problems).toEqual([]);
  const resource = resolution.resources.find(({ id }) => id === 'home-1');
  expect(resource).toMatchObject({ kind: 'vm', sourceIds: ['pbs', 'pve'], expects: ['backup'], parentId: null });
});

test('what nobody answers for makes no resource, and is reported', () => {
  const inventory = createInventory();
  const resolution = inventory.run([surveyOf('pbs', [store, group('g1', 'group:s/1')]), surveyOf('pve', [])]);
  expect(resolution.idOf('pbs', 'g1')).toBeNull();
  expect(inventory.resources().map(({ id }) => id)).toEqual(['store']);
  expect(resolution.problems).toEqual([{ kind: 'unattributed', sourceId: 'pbs', ref: 'g1', because: 'nobody' }]);
});

test('two guests that answer to one name stay two, and the group is about neither', () => {
  const resolution = createInventory().run([
    surveyOf('pbs', [store, group('g1', 'group:s/1')]),
    surveyOf('a', [guest('a', '1', ['group:s/1'])]),
    surveyOf('b', [guest('b', '1', ['group:s/1'])]),
  ]);
  expect(resolution.idOf('pbs', 'g1')).toBeNull();
  expect(resolution.resources.map(({ id }) => id).sort()).toEqual(['a-1', 'b-1', 'store']);
  expect(resolution.problems).toEqual([{ kind: 'unattributed', sourceId: 'pbs', ref: 'g1', because: 'several' }]);
});

test('one guest that two sources see is one answer', () => {
  const resolution = createInventory().run([
    surveyOf('a', [guest('home', '1', ['group:s/1'])]),
    surveyOf('b', [guest('home', '1', ['group:s/1'])]),
    surveyOf('pbs', [store, group('g1', 'group:s/1')]),
  ]);
  expect(resolution.idOf('pbs', 'g1')).toBe('home-1');
});

test('a deleted guest is not kept alive by its backups, and a source that failed leaves nothing to be said', () => {
  const inventory = createInventory();
  const backups = surveyOf('pbs', [store, group('g1', 'group:s/1')]);
  inventory.run([backups, surveyOf('pve', [guest('home', '1', ['group:s/1'])])]);
  const blind = inventory.run([backups, surveyOf('pve', [], false)]);
  expect(blind.idOf('pbs', 'g1')).toBeNull();
  expect(blind.problems).toEqual([]);
  const gone = inventory.run([backups, surveyOf('pve', [])]);
  expect(gone.resources.map(({ id }) => id)).toEqual(['store']);
  expect(gone.problems).toHaveLength(1);
});

test('whatever attaches, the things are what they are without it', () => {
  const names = fc.subarray(['n1', 'n2', 'n3']);
  const guests = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2'), names), {
    selector: ([cluster, vmid]) => `${cluster}/${vmid}`,
  });
  fc.assert(
    fc.property(guests, fc.array(names, { maxLength: 4 }), (drafts, groups) => {
      const list = drafts.map(([cluster, vmid, own]) => ({
        ...guest(cluster, vmid, own),
        ref: `${cluster}/${vmid}`,
      }));
      const alone = createInventory().run([surveyOf('pve', list)]);
      const attached = groups.map((own, index) => group(`g${index}`, ...own));
      const both = createInventory().run([surveyOf('pve', list), surveyOf('pbs', [store, ...attached])]);
      const ids = both.resources.map(({ id }) => id).filter((id) => id !== 'store');
      expect(ids).toEqual(alone.resources.map(({ id }) => id));
      for (const [index, own] of groups.entries()) {
        const answering = drafts.filter(([, , given]) => given.some((name) => own.includes(name)));
        expect(both.idOf('pbs', `g${index}`) !== null).toBe(answering.length === 1);
      }
    }),
  );
});
