import { expect, test } from 'vitest';
import { hint, proof, type ResourceClaim } from '../../signals/claim.ts';
import type { Resolution } from '../../signals/identity.ts';
import { asResourceId } from '../../signals/resource.ts';
import { claimOf, createInventory, surveyOf } from '../support/identities.ts';

const idsOf = ({ resources }: Resolution): readonly string[] => resources.map(({ id }) => id);

const host = (rest: Partial<ResourceClaim> = {}): ResourceClaim =>
  claimOf('host', 'host', [proof('machine-id:m1'), hint('hostname-boot:nas1@1'), hint('hostname-mac:nas1@aa')], {
    name: 'nas1',
    ...rest,
  });
const target = (rest: Partial<ResourceClaim> = {}): ResourceClaim =>
  claimOf(
    'host',
    'nas1:9100',
    [hint('hostname-boot:nas1@1'), hint('hostname-mac:nas1@aa'), proof('target:node/nas1:9100')],
    {
      name: 'nas1:9100',
      ...rest,
    },
  );
const mount = (path: string, parentRef: string, uuid: string | null = null): ResourceClaim =>
  claimOf(
    'filesystem',
    `${parentRef} ${path}`,
    [...(uuid === null ? [] : [proof(`fs-uuid:${uuid}`)]), hint(`fs-mount:${path}`, 'parent')],
    { name: path, parentRef },
  );

test('new things get readable ids: a root its name, a child the path to it', () => {
  const resolution = createInventory().run([
    surveyOf('this-host', [
      host({ name: 'NAS 1' }),
      mount('/', 'host', 'u1'),
      mount('/srv/media', 'host', 'u2'),
      claimOf('disk', 'sda', [proof('disk-wwn:5000c5')], { parentRef: 'host', slug: 'WD-WX12' }),
    ]),
  ]);
  expect(idsOf(resolution)).toEqual([
    'nas-1',
    'nas-1/disk/wd-wx12',
    'nas-1/filesystem/root',
    'nas-1/filesystem/srv-media',
  ]);
  expect(resolution.idOf('this-host', 'sda')).toBe('nas-1/disk/wd-wx12');
  expect(resolution.idOf('this-host', 'sdz')).toBeNull();
});

test('two sources that see one machine give one set of resources', () => {
  const resolution = createInventory().run([
    surveyOf('this-host', [
      host({ tags: ['b'], expects: ['cpu', 'memory'], facts: { os: 'debian', cores: 4 } }),
      mount('/srv', 'host', 'u1'),
      claimOf('disk', 'sda', [proof('disk-wwn:w1'), hint('disk-name:sda', 'parent')], {
        parentRef: 'host',
        slug: 'S1',
      }),
      claimOf('service', 'nginx', [hint('unit:nginx.service', 'parent')], { parentRef: 'host' }),
    ]),
    surveyOf('metrics', [
      target({ tags: ['a'], expects: ['cpu', 'boot'], status: 'degraded', facts: { os: 'linux', job: 'node' } }),
      mount('/srv', 'nas1:9100'),
      claimOf('disk', 'a/sda', [hint('disk-name:sda', 'parent')], { parentRef: 'nas1:9100' }),
      claimOf('service', 'a/nginx', [hint('unit:nginx.service', 'parent')], { parentRef: 'nas1:9100' }),
    ]),
  ]);
  expect(idsOf(resolution)).toEqual(['nas1', 'nas1/disk/s1', 'nas1/filesystem/srv', 'nas1/service/nginx']);
  expect(resolution.resources[0]).toEqual({
    id: 'nas1',
    kind: 'host',
    name: 'nas1',
    parentId: null,
    status: 'degraded',
    sourceIds: ['this-host', 'metrics'],
    tags: ['a', 'b'],
    expects: ['boot', 'cpu', 'memory'],
    facts: { os: 'debian', cores: 4, job: 'node' },
    presence: 'observed',
  });
  expect(resolution.resources.every(({ sourceIds }) => sourceIds.length === 2)).toBe(true);
  expect(resolution.resources.slice(1).every(({ parentId }) => parentId === 'nas1')).toBe(true);
});

test('a source that comes later joins what is known, whichever came first', () => {
  const hostSurvey = surveyOf('this-host', [host(), mount('/srv', 'host', 'u1')]);
  const promSurvey = surveyOf('metrics', [target({ name: 'nas1' }), mount('/srv', 'nas1:9100')]);
  for (const order of [
    [hostSurvey, promSurvey],
    [promSurvey, hostSurvey],
  ]) {
    const inventory = createInventory();
    inventory.run(order.slice(0, 1));
    expect(idsOf(inventory.run(order))).toEqual(['nas1', 'nas1/filesystem/srv']);
    expect(inventory.run(order).aliases).toEqual([]);
  }
});

test('the id stays when the host, its source, a disk letter or a parent is renamed', () => {
  const inventory = createInventory();
  const disk = (ref: string, parentRef: string): ResourceClaim =>
    claimOf('disk', ref, [proof('disk-wwn:w1'), hint(`disk-name:${ref}`, 'parent')], { parentRef });
  const guest = (parentRef: string): ResourceClaim => claimOf('vm', '104', [proof('pve-guest:c1/104')], { parentRef });
  const node = (ref: string): ResourceClaim => claimOf('node', ref, [proof(`pve-node:c1/${ref}`)]);
  inventory.run([
    surveyOf('a', [host(), disk('sda', 'host')]),
    surveyOf('home', [node('pve1'), node('pve2'), guest('pve1')]),
  ]);
  const resolution = inventory.run([
    surveyOf('b', [
      claimOf('host', 'host', [proof('machine-id:m1'), hint('hostname-boot:vault@2')], { name: 'vault' }),
      disk('sdb', 'host'),
    ]),
    surveyOf('pve', [node('pve1'), node('pve2'), guest('pve2')]),
  ]);
  expect(resolution.idOf('b', 'host')).toBe('nas1');
  expect(resolution.idOf('b', 'sdb')).toBe('nas1/disk/sda');
  expect(resolution.idOf('pve', '104')).toBe('pve1/vm/104');
  expect(resolution.resources.find(({ id }) => id === 'nas1')?.name).toBe('vault');
  expect(resolution.resources.find(({ id }) => id === 'pve1/vm/104')?.parentId).toBe('pve2');
});

test('a disk swapped on the same mount point is a new filesystem, and takes the mount point with it', () => {
  const inventory = createInventory();
  inventory.run([
    surveyOf('h', [host(), mount('/mnt/usb', 'host', 'old')]),
    surveyOf('p', [target(), mount('/mnt/usb', 'nas1:9100')]),
  ]);
  const swapped = inventory.run([
    surveyOf('h', [host(), mount('/mnt/usb', 'host', 'new')]),
    surveyOf('p', [target(), mount('/mnt/usb', 'nas1:9100')]),
  ]);
  expect(idsOf(swapped)).toEqual(['nas1', 'nas1/filesystem/mnt-usb-2']);
  const alone = inventory.run([surveyOf('h', [], false), surveyOf('p', [target(), mount('/mnt/usb', 'nas1:9100')])]);
  expect(idsOf(alone)).toEqual(['nas1', 'nas1/filesystem/mnt-usb-2']);
  const back = inventory.run([surveyOf('h', [host(), mount('/mnt/usb', 'host', 'old')])]);
  expect(idsOf(back)).toEqual(['nas1', 'nas1/filesystem/mnt-usb']);
});

test('a filesystem that was moved keeps its id, and what is mounted in its old place is another one', () => {
  const inventory = createInventory();
  inventory.run([surveyOf('h', [host(), mount('/a', 'host', 'u1')])]);
  const moved = inventory.run([surveyOf('h', [host(), mount('/b', 'host', 'u1'), mount('/a', 'host')])]);
  expect(moved.idOf('h', 'host /b')).toBe('nas1/filesystem/a');
  expect(moved.idOf('h', 'host /a')).toBe('nas1/filesystem/a-2');
});

test('one mount point on two hosts is two filesystems', () => {
  const resolution = createInventory().run([
    surveyOf('p', [
      claimOf('host', 'h1', [proof('target:h1')]),
      claimOf('host', 'h2', [proof('target:h2')]),
      mount('/', 'h1'),
      mount('/', 'h2'),
    ]),
  ]);
  expect(idsOf(resolution)).toEqual(['h1', 'h2', 'h1/filesystem/root', 'h2/filesystem/root']);
});

test('a key that two things of one source claim is dropped and reported, and their other keys still hold', () => {
  const inventory = createInventory();
  const disks = [
    claimOf('disk', 'sda', [proof('disk-serial:0123'), hint('disk-path:usb-1', 'parent')], { parentRef: 'host' }),
    claimOf('disk', 'sdb', [proof('disk-serial:0123'), hint('disk-path:usb-2', 'parent')], { parentRef: 'host' }),
  ];
  const first = inventory.run([surveyOf('h', [host(), ...disks])]);
  expect(idsOf(first)).toEqual(['nas1', 'nas1/disk/sda', 'nas1/disk/sdb']);
  expect(first.ambiguous).toEqual([{ sourceId: 'h', key: 'disk-serial:0123', refs: new Set(['sda', 'sdb']) }]);
  expect(inventory.run([surveyOf('h', [host(), ...disks.toReversed()])]).aliases).toEqual([]);
});

test('what has no usable key left is recognised by the handle of its source, not made anew in every run', () => {
  const inventory = createInventory();
  const twins = ['sda', 'sdb'].map((ref) => claimOf('disk', ref, [proof('disk-serial:0123')], { parentRef: 'host' }));
  const first = inventory.run([surveyOf('h', [host(), ...twins])]);
  const second = inventory.run([surveyOf('h', [host(), ...twins])]);
  expect(idsOf(second)).toEqual(idsOf(first));
  expect(second.aliases).toEqual([]);
});

test('two machines that share a hint but prove themselves different stay two', () => {
  const resolution = createInventory().run([
    surveyOf('a', [claimOf('host', 'x', [proof('machine-id:1'), hint('hostname-mac:localhost@02')])]),
    surveyOf('b', [claimOf('host', 'y', [proof('machine-id:2'), hint('hostname-mac:localhost@02')])]),
  ]);
  expect(idsOf(resolution)).toEqual(['x', 'y']);
});

test('a proof outweighs weaker proofs that differ, and only those', () => {
  const disk = (source: string, wwn: string, serial: string): ReturnType<typeof surveyOf> =>
    surveyOf(source, [claimOf('disk', `${source}-disk`, [proof(`disk-wwn:${wwn}`), proof(`disk-serial:${serial}`)])]);
  expect(idsOf(createInventory().run([disk('a', 'w1', 'S1'), disk('b', 'w1', 's1 ')]))).toEqual(['a-disk']);
  expect(idsOf(createInventory().run([disk('a', 'w1', 'S1'), disk('b', 'w2', 'S1')]))).toEqual(['a-disk', 'b-disk']);
});

test('a VM and the host that runs inside it stay two, unless the operator says that they are one', () => {
  const inventory = createInventory();
  const surveys = [
    surveyOf('home', [claimOf('vm', '104', [proof('pve-guest:c1/104'), hint('mac:aa')], { status: 'running' })]),
    surveyOf('metrics', [claimOf('host', 'web', [proof('target:web:9100'), hint('mac:aa')])]),
  ];
  expect(idsOf(inventory.run(surveys))).toEqual(['104', 'web']);
  const declared = inventory.run(surveys, { sameAs: [['104', 'web']] });
  expect(declared.resources).toMatchObject([{ id: '104', kind: 'vm', sourceIds: ['home', 'metrics'] }]);
  expect(declared.merged).toEqual([{ from: 'web', into: '104' }]);
  expect(inventory.run(surveys).resources).toHaveLength(1);
});

test('a node of a cluster is the host that runs on that machine, and stays a node', () => {
  const inventory = createInventory();
  const node = claimOf('node', 'pve1', [proof('pve-node:c1/pve1'), hint('hostname-mac:nas1@aa')], { parentRef: 'c' });
  const cluster = claimOf('cluster', 'c', [proof('pve-cluster:c1')]);
  const both = inventory.run([surveyOf('h', [host()]), surveyOf('home', [cluster, node])]);
  expect(both.resources).toMatchObject([{ id: 'nas1', kind: 'node', parentId: 'c' }, { id: 'c' }]);
  const alone = inventory.run([surveyOf('h', [host()]), surveyOf('home', [], false)]);
  expect(alone.resources).toMatchObject([{ id: 'nas1', kind: 'node', parentId: 'c', sourceIds: ['h', 'home'] }]);
});

test('a check attaches to the resource it refers to, and says nothing of what that is', () => {
  const check = claimOf('endpoint', 'web-check', [proof('check:web')], {
    refersTo: asResourceId('nas1/container/web'),
    expects: ['probe'],
  });
  const container = claimOf('container', 'c1', [proof('container-name:web', 'parent')], {
    name: 'web',
    parentRef: 'host',
    status: 'stopped',
  });
  for (const surveys of [
    [surveyOf('checks', [check]), surveyOf('docker', [host(), container])],
    [surveyOf('docker', [host(), container]), surveyOf('checks', [check])],
  ]) {
    const resolution = createInventory().run(surveys);
    expect(resolution.idOf('checks', 'web-check')).toBe('nas1/container/web');
    expect(resolution.resources.find(({ id }) => id === 'nas1/container/web')).toMatchObject({
      kind: 'container',
      name: 'web',
      status: 'stopped',
      expects: ['probe'],
    });
    expect(resolution.resources).toHaveLength(2);
  }
});

test('a check whose resource is not known makes one of its own, which becomes that resource when it appears', () => {
  const inventory = createInventory();
  const check = claimOf('endpoint', 'web', [proof('check:web')], {
    refersTo: asResourceId('nas1'),
    expects: ['probe'],
  });
  const first = inventory.run([surveyOf('checks', [check]), surveyOf('h', [], false)]);
  expect(idsOf(first)).toEqual(['web']);
  const second = inventory.run([surveyOf('checks', [check]), surveyOf('h', [host()])]);
  expect(idsOf(second)).toEqual(['nas1']);
  expect(second.merged).toEqual([{ from: 'web', into: 'nas1' }]);
  expect(inventory.run([surveyOf('checks', [check]), surveyOf('h', [host()])])).toMatchObject({
    merged: [],
    aliases: [],
  });
});

test('a resource that only a check still sees has an unknown status and keeps what was known of it', () => {
  const inventory = createInventory();
  const check = claimOf('endpoint', 'ping', [proof('check:ping')], {
    refersTo: asResourceId('nas1'),
    expects: ['probe'],
  });
  inventory.run([surveyOf('h', [host({ expects: ['cpu'], tags: ['prod'] })]), surveyOf('checks', [check])]);
  const blind = inventory.run([surveyOf('h', [], false), surveyOf('checks', [check])]);
  expect(blind.resources).toMatchObject([
    {
      id: 'nas1',
      kind: 'host',
      name: 'nas1',
      status: 'unknown',
      sourceIds: ['h', 'checks'],
      expects: ['cpu', 'probe'],
      tags: ['prod'],
    },
  ]);
});

test('what a failed source undertook to deliver stays expected while another source sees the thing', () => {
  const inventory = createInventory();
  inventory.run([
    surveyOf('h', [host({ expects: ['smart'], tags: ['x'] })]),
    surveyOf('p', [target({ expects: ['cpu'] })]),
  ]);
  const failed = inventory.run([surveyOf('h', [], false), surveyOf('p', [target({ expects: ['cpu'] })])]);
  expect(failed.resources[0]).toMatchObject({ expects: ['cpu', 'smart'], tags: ['x'], sourceIds: ['h', 'p'] });
  const removed = inventory.run([surveyOf('p', [target({ expects: ['cpu'] })])]);
  expect(removed.resources[0]).toMatchObject({ expects: ['cpu'], tags: [], sourceIds: ['p'] });
});

test('names that read alike are numbered the same way whatever the order', () => {
  const claims = [
    claimOf('host', 'r1', [proof('k:2')], { name: 'Nas' }),
    claimOf('host', 'r2', [proof('k:1')], { name: 'nas' }),
    claimOf('host', 'r3', [proof('k:3')], { name: '???' }),
  ];
  for (const order of [claims, claims.toReversed()]) {
    const resolution = createInventory().run([surveyOf('a', order)]);
    expect(['r1', 'r2', 'r3'].map((ref) => resolution.idOf('a', ref))).toEqual(['nas-2', 'nas', 'host']);
  }
});
