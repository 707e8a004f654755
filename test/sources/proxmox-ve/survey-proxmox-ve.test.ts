import { expect, it } from 'vitest';
import { Refusal } from '../../support/proxmox-answers.ts';
import { clusterAnswers } from '../../support/proxmox-ve-cluster.ts';
import { node, resources, storage, vm } from '../../support/proxmox-ve-rows.ts';
import { startCluster, WATCH } from '../../support/proxmox-ve-survey.ts';

const AWAY = { 'Sys.Audit': undefined };

it('reads a cluster: everything is clear or warming up, nothing is missing', async () => {
  const { look } = startCluster();
  const { sighting, states } = await look();
  expect(sighting.gaps).toEqual([]);
  const others = Object.entries(states).filter(([, state]) => state !== 'clear' && state !== 'unobserved:warming_up');
  expect(others).toEqual([]);
  expect(states).toMatchObject({
    'nvme0n1 (Samsung SSD 980 PRO 1TB) smart_failure': 'clear',
    'sda (ST4000VN008-2DR166) smart_failure': 'clear',
    'tank zfs_unhealthy': 'clear',
    'pve1 high_cpu': 'clear',
    'pve1 clock_skew': 'clear',
    'pve1 certificate_expiring:pve-ssl.pem': 'clear',
    'nas high_disk': 'clear',
  });
});

it('counts a shared storage once, and leaves what lies on a pool to the pool', async () => {
  const { sighting } = await startCluster().look();
  const spaces = sighting.readings.filter(({ kind }) => kind === 'capacity').map(({ ref }) => ref);
  expect(spaces.sort()).toEqual([
    'fs:guest:200/',
    'pool:pve1/zfs/tank',
    'storage:nas',
    'storage:pve1/local',
    'storage:pve2/local',
  ]);
});

it('keeps what is read slowly in a watch, without asking for it', async () => {
  const { look } = startCluster();
  const patrol = await look();
  const watch = await look(WATCH);
  expect(watch.sighting.claims.map(({ ref }) => ref)).toEqual(patrol.sighting.claims.map(({ ref }) => ref));
  expect(new Set(watch.sighting.gaps.map(({ code }) => code))).toEqual(new Set(['not_due']));
  expect(watch.requests).toBeLessThanOrEqual(6);
});

it('says which rights are missing, and takes no list that they shorten for whole', async () => {
  const answers = clusterAnswers();
  const { look } = startCluster({
    ...answers,
    '/access/permissions': { '/vms/100': { 'VM.Audit': 1 }, '/storage': { 'Datastore.Audit': 1 }, '/nodes': AWAY },
    '/cluster/status': new Refusal(403, 'Permission check failed (/, Sys.Audit)'),
    '/cluster/resources': [vm(100), node('pve1', { cpu: undefined, mem: undefined })],
  });
  const { sighting } = await look();
  const reasons = sighting.gaps.map(({ reason }) => reason).join('\n');
  expect(reasons).toContain('lacks Sys.Audit on /, Sys.Audit on /nodes, VM.Audit on /vms');
  expect(reasons).toContain('Sys.Audit on / is missing');
  expect(sighting.listed.map(({ kind }) => kind)).not.toContain('vm');
});

it.each([
  ['/version', new Refusal('unreachable')],
  ['/version', new Refusal(401, 'invalid token value!')],
  ['/cluster/resources', new Refusal(500, 'got timeout')],
  ['/cluster/resources', new Refusal('half')],
  ['/cluster/resources', {}],
])('fails as a whole where %s is of no use', async (path, answer) => {
  const { look } = startCluster({ ...clusterAnswers(), [path]: answer });
  await expect(look()).rejects.toMatchObject({ code: 'source_not_answering' });
});

it('takes no list for whole of which an entry could not be read', async () => {
  const { look } = startCluster({
    ...clusterAnswers(),
    '/cluster/resources': [...resources(), { type: 'qemu', vmid: null }],
  });
  const { sighting } = await look();
  expect(sighting.listed).toEqual([]);
  expect(sighting.gaps).toEqual([
    expect.objectContaining({ code: 'malformed', reason: expect.stringContaining('qemu') }),
  ]);
});

it('knows a guest by its number within its cluster, through a migration and a new name', async () => {
  const { look, transport } = startCluster();
  await look();
  const before = await look(WATCH);
  transport.answer({
    ...clusterAnswers(),
    '/cluster/resources': [...resources().slice(1), vm(100, { node: 'pve2', name: 'renamed' })],
  });
  const after = await look(WATCH);
  const keysOf = ({ sighting }: typeof before) => sighting.claims.find(({ ref }) => ref === 'guest:100')?.keys;
  expect(keysOf(after)).toEqual(keysOf(before));
});

it('leaves everything on a lost node unobserved, and says why', async () => {
  const { look, transport } = startCluster();
  await look();
  const answers = clusterAnswers();
  transport.answer({
    ...answers,
    '/cluster/status': [
      { type: 'cluster', name: 'home', quorate: 1, nodes: 2 },
      { type: 'node', name: 'pve1', online: 0, local: 0 },
      { type: 'node', name: 'pve2', online: 1, local: 1 },
    ],
    '/cluster/resources': [
      vm(100, { status: 'unknown' }),
      node('pve1', { status: 'offline' }),
      node('pve2'),
      storage('local', 'pve1', { status: 'unknown' }),
      storage('local', 'pve2'),
    ],
  });
  const { sighting, states } = await look();
  expect(sighting.readings.find(({ ref, kind }) => ref === 'node:pve1' && kind === 'node_state')).toMatchObject({
    online: false,
  });
  expect(sighting.gaps).toContainEqual({
    ref: 'guest:100',
    reads: [],
    code: 'unreachable',
    reason: 'its node pve1 is offline',
  });
  expect(states['sda (ST4000VN008-2DR166) smart_failure']).toBe('unobserved:unreachable');
  expect(states['tank zfs_unhealthy']).toBe('unobserved:unreachable');
});

it('asks a node itself about a storage that its statistics lack', async () => {
  const { look } = startCluster({
    ...clusterAnswers(),
    '/cluster/resources': [
      ...resources().filter(({ storage: name }) => name !== 'nas'),
      storage('nas', 'pve1', { plugintype: 'nfs', shared: 1, content: 'images', disk: 1, maxdisk: 9 }),
      storage('nas', 'pve2', {
        plugintype: 'nfs',
        shared: 1,
        content: 'images',
        status: 'unknown',
        disk: undefined,
        maxdisk: undefined,
      }),
    ],
    '/nodes/pve2/storage/nas/status': {
      active: 0,
      enabled: 1,
      type: 'nfs',
      content: 'images',
      total: 0,
      used: 0,
      avail: 0,
    },
  });
  const { sighting } = await look();
  expect(sighting.readings.find(({ kind, ref }) => kind === 'storage_state' && ref === 'storage:nas')).toMatchObject({
    enabled: true,
    active: false,
    inactiveOn: ['pve2'],
    holdsGuestDisks: true,
  });
});
