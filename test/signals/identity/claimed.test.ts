/** Surveys that are large, deep or wrong. */
import { expect, test } from 'vitest';
import { hint, proof, type ResourceClaim } from '../../../signals/claim.ts';
import type { Resolution } from '../../../signals/identity.ts';
import { claimOf, createInventory, surveyOf } from '../../support/identities.ts';

const idsOf = ({ resources }: Resolution): readonly string[] => resources.map(({ id }) => id);

const host = (rest: Partial<ResourceClaim> = {}): ResourceClaim =>
  claimOf('host', 'host', [proof('machine-id:m1'), hint('hostname-boot:nas1@1'), hint('hostname-mac:nas1@aa')], {
    name: 'nas1',
    ...rest,
  });
const mount = (path: string, parentRef: string, uuid: string | null = null): ResourceClaim =>
  claimOf(
    'filesystem',
    `${parentRef} ${path}`,
    [...(uuid === null ? [] : [proof(`fs-uuid:${uuid}`)]), hint(`fs-mount:${path}`, 'parent')],
    { name: path, parentRef },
  );

test('parents that are missing, or go round in a circle, are reported, and their things are kept apart', () => {
  const inventory = createInventory();
  const claims = [
    mount('/a', 'nowhere'),
    mount('/b', 'host'),
    claimOf('vm', 'v1', [proof('v:1')], { parentRef: 'v2' }),
    claimOf('vm', 'v2', [proof('v:2')], { parentRef: 'v1' }),
    claimOf('vm', 'v3', [proof('v:3')], { parentRef: 'v3' }),
    host(),
    host({ name: 'twin' }),
  ];
  const resolution = inventory.run([surveyOf('s', claims)]);
  expect(resolution.problems).toEqual([
    { kind: 'duplicate_ref', sourceId: 's', ref: 'host' },
    { kind: 'parent_missing', sourceId: 's', ref: 'nowhere /a', parentRef: 'nowhere' },
    { kind: 'parent_cycle', sourceId: 's', ref: 'v1', parentRef: 'v2' },
    { kind: 'parent_cycle', sourceId: 's', ref: 'v3', parentRef: 'v3' },
  ]);
  expect(idsOf(resolution)).toEqual(['a', 'nas1', 'v1', 'v3', 'nas1/filesystem/b', 'v1/vm/v2']);
  expect(inventory.run([surveyOf('s', claims.toReversed())]).aliases).toEqual([]);
});

test('a chain of parents deeper than any real one is cut, and reported', () => {
  const chain = Array.from({ length: 40 }, (_, index) =>
    claimOf('pool', `p${index}`, [proof(`p:${index}`)], { parentRef: index === 0 ? null : `p${index - 1}` }),
  );
  const { problems, resources } = createInventory().run([surveyOf('s', chain)]);
  expect(problems.map(({ kind }) => kind)).toEqual(['parent_cycle', 'parent_cycle']);
  expect(resources).toHaveLength(40);
});

const manyDisks = (hostCount: number): readonly ResourceClaim[] =>
  Array.from({ length: hostCount }, (_, h) => [
    claimOf('host', `h${h}`, [proof(`machine-id:${h}`), hint(`mac:${h}`)]),
    ...Array.from({ length: 49 }, (_, d) =>
      claimOf('disk', `${h}-${d}`, [proof(`wwn:${h}-${d}`), hint(`serial:${h}-${d}`), hint(`name:sd${d}`, 'parent')], {
        parentRef: `h${h}`,
        name: `sd${d}`,
      }),
    ),
  ]).flat();

/** Least of three, in processor time: the machine may have other things to do. */
const costOf = (claims: readonly ResourceClaim[]): number => {
  const inventory = createInventory();
  const costs = [1, 2, 3, 4].map(() => {
    const before = process.cpuUsage();
    expect(inventory.run([surveyOf('s', claims)]).resources).toHaveLength(claims.length);
    return process.cpuUsage(before).user;
  });
  return Math.min(...costs.slice(1));
};

test('eight times as many claims cost nowhere near the square of that', () => {
  costOf(manyDisks(40));
  // Small worlds are over before their cost can be told from a collection of garbage.
  expect(costOf(manyDisks(320)) / costOf(manyDisks(40))).toBeLessThan(36);
});
