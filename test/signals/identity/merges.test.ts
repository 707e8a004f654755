/** Known things that turn out to be one. */
import { expect, test } from 'vitest';
import { hint, proof, type ResourceClaim } from '../../../signals/claim.ts';
import type { Resolution } from '../../../signals/identity.ts';
import { claimOf, createInventory, surveyOf } from '../../support/identities.ts';

const idsOf = ({ resources }: Resolution): readonly string[] => resources.map(({ id }) => id);

const mount = (path: string, parentRef: string, uuid: string | null = null): ResourceClaim =>
  claimOf(
    'filesystem',
    `${parentRef} ${path}`,
    [...(uuid === null ? [] : [proof(`fs-uuid:${uuid}`)]), hint(`fs-mount:${path}`, 'parent')],
    { name: path, parentRef },
  );

test('sameAs joins what nothing proves; the first wins, the others stay resolvable and keep their tags', () => {
  const inventory = createInventory();
  const surveys = [
    surveyOf('a', [claimOf('host', 'x', [proof('a:1')]), mount('/srv', 'x')]),
    surveyOf('b', [claimOf('host', 'y', [proof('b:1')]), mount('/srv', 'y')]),
  ];
  inventory.run(surveys);
  const joined = inventory.run(surveys, { sameAs: [['y', 'x']], configTags: { x: ['old'], y: ['new'] } });
  expect(joined.resources).toMatchObject([{ id: 'y', tags: ['new', 'old'] }, { id: 'y/filesystem/srv' }]);
  expect(joined.merged).toEqual(
    expect.arrayContaining([
      { from: 'x', into: 'y' },
      { from: 'x/filesystem/srv', into: 'y/filesystem/srv' },
    ]),
  );
  expect(joined.aliases).toEqual(expect.arrayContaining([{ key: 'id:x', id: 'y', strength: 'proof' }]));
  const later = inventory.run(surveys, { configTags: { x: ['old'] } });
  expect(later).toMatchObject({ merged: [], aliases: [] });
  expect(later.resources[0]).toMatchObject({ id: 'y', tags: ['old'] });
});

test('sameAs holds at the very first run too, and refuses what cannot be one', () => {
  const surveys = [
    surveyOf('a', [claimOf('host', 'x', [proof('a:1')]), claimOf('disk', 'd', [proof('w:1')])]),
    surveyOf('b', [claimOf('host', 'y', [proof('b:1')])]),
  ];
  const resolution = createInventory().run(surveys, {
    sameAs: [
      ['x', 'y'],
      ['x', 'd'],
      ['nothing', 'nowhere'],
    ],
  });
  expect(idsOf(resolution)).toEqual(['x', 'd']);
  expect(resolution.problems).toEqual([{ kind: 'same_as_refused', ids: ['x', 'd'], because: 'kinds' }]);
});

test('two known things that a later proof shows to be one are merged, with what is on them', () => {
  const inventory = createInventory();
  const a = [claimOf('host', 'x', [proof('machine-id:1')]), mount('/srv', 'x', 'u1')];
  const b = (keys: ResourceClaim['keys']): readonly ResourceClaim[] => [claimOf('host', 'y', keys), mount('/srv', 'y')];
  inventory.run([surveyOf('a', a), surveyOf('b', b([proof('serial:S')]))]);
  const later = inventory.run([surveyOf('a', a), surveyOf('b', b([proof('machine-id:1'), proof('serial:S')]))]);
  expect(idsOf(later)).toEqual(['x', 'x/filesystem/srv']);
  expect(later.merged).toEqual(
    expect.arrayContaining([
      { from: 'y', into: 'x' },
      { from: 'y/filesystem/srv', into: 'x/filesystem/srv' },
    ]),
  );
  expect(inventory.run([surveyOf('a', a), surveyOf('b', b([proof('serial:S')]))])).toMatchObject({
    merged: [],
    aliases: [],
  });
});

test('sameAs joins what two sources prove with different values, but not what one source tells apart', () => {
  const disk = (source: string, ref: string): ResourceClaim =>
    claimOf('disk', ref, [proof(`serial:${ref}`)], { slug: source });
  const apart = [surveyOf('a', [disk('a', 'S-1')]), surveyOf('b', [disk('b', 'S1')])];
  const inventory = createInventory();
  inventory.run(apart);
  expect(idsOf(inventory.run(apart, { sameAs: [['a', 'b']] }))).toEqual(['a']);
  expect(inventory.run(apart)).toMatchObject({ aliases: [], merged: [], resources: [{ id: 'a' }] });
  const together = [surveyOf('a', [disk('a', 'S-1'), disk('b', 'S1')])];
  expect(createInventory().run(together, { sameAs: [['a', 'b']] })).toMatchObject({
    resources: [{ id: 'a' }, { id: 'b' }],
    merged: [],
    problems: [{ kind: 'same_as_refused', ids: ['a', 'b'], because: 'one_source' }],
  });
});

test('an id that was merged away is not given again', () => {
  const inventory = createInventory();
  const surveys = [
    surveyOf('a', [claimOf('host', 'x', [proof('a:1')])]),
    surveyOf('b', [claimOf('host', 'y', [proof('b:1')])]),
  ];
  inventory.run(surveys);
  inventory.run(surveys, { sameAs: [['x', 'y']] });
  expect(idsOf(inventory.run([surveyOf('a', [claimOf('host', 'y', [proof('a:3')])])]))).toEqual(['y-2']);
});
