import { expect, it } from 'vitest';
import { type AnswerTable, Refusal } from '../../support/proxmox-answers.ts';
import { clusterAnswers } from '../../support/proxmox-ve-cluster.ts';
import { ataSmart, GIB, NOW_MS, node, type Row, resources, rrd, vm } from '../../support/proxmox-ve-rows.ts';
import { startCluster, WATCH } from '../../support/proxmox-ve-survey.ts';

const MINUTE_MS = 60_000;
const NOW_S = NOW_MS / 1000;
const table = (more: AnswerTable): AnswerTable => ({ ...clusterAnswers(), ...more });
const withGuest = (more: Row, answers: AnswerTable = {}): AnswerTable =>
  table({ '/cluster/resources': [vm(100, more), ...resources().slice(1)], ...answers });

/** Watches a minute apart, until something has lasted as long as it takes. */
const watch = async (cluster: ReturnType<typeof startCluster>, minutes: number) => {
  let last = await cluster.look(WATCH);
  for (let minute = 0; minute < minutes; minute += 1) {
    await cluster.clock.advance(MINUTE_MS);
    last = await cluster.look(WATCH);
  }
  return last.states;
};

it('a guest that ran and stopped by itself is down; one that somebody stopped is not', async () => {
  const stopped = { status: 'stopped', uptime: 0, cpu: 0, mem: 0 };
  const cluster = startCluster();
  await cluster.look();
  cluster.transport.answer(withGuest(stopped));
  expect((await watch(cluster, 6))['vm100 guest_down']).toBe('raised:warning');
  const byHand = startCluster();
  await byHand.look();
  const stop = {
    upid: 'UPID:pve1:1:1:1:qmshutdown:100:root@pam:',
    node: 'pve1',
    type: 'qmshutdown',
    id: '100',
    user: 'root@pam',
    starttime: NOW_S + 30,
    endtime: NOW_S + 40,
    status: 'OK',
  };
  await byHand.clock.advance(MINUTE_MS);
  byHand.transport.answer(withGuest(stopped, { '/cluster/tasks': [stop] }));
  expect((await watch(byHand, 6))['vm100 guest_down']).not.toMatch(/raised/);
});

it('a guest that was off at the first look is no finding', async () => {
  const cluster = startCluster(table({ '/nodes/pve1/qemu/101/config': { onboot: 0 } }));
  await cluster.look();
  expect((await watch(cluster, 20))['vm101 guest_down']).not.toMatch(/raised/);
});

it('a guest that is paused by an I/O error is stalled at once', async () => {
  const { states } = await startCluster(withGuest({ status: 'io-error' })).look();
  expect(states['vm100 guest_stalled']).toBe('raised:critical');
});

it('a cluster without quorum is lost at once, a node that is offline after two minutes', async () => {
  const status = [
    { type: 'cluster', name: 'home', quorate: 0, nodes: 2 },
    { type: 'node', name: 'pve1', online: 1, local: 1 },
    { type: 'node', name: 'pve2', online: 0, local: 0 },
  ];
  const cluster = startCluster();
  await cluster.look();
  cluster.transport.answer(table({ '/cluster/status': status }));
  expect(await watch(cluster, 3)).toMatchObject({
    'home quorum_lost': 'raised:critical',
    'pve2 source_unavailable': 'raised:critical',
  });
});

it('a disk with many pending sectors fails, one that can not be asked does not', async () => {
  const attributes = (ataSmart()['attributes'] as Row[]).map((one) =>
    one['id'] === '197' ? { ...one, raw: '64' } : one,
  );
  const path = '/nodes/pve1/disks/smart?disk=%2Fdev%2Fsda';
  const name = 'sda (ST4000VN008-2DR166) smart_failure';
  const sick = startCluster(table({ [path]: ataSmart({ attributes }) }));
  expect((await sick.look()).states[name]).toMatch(/raised/);
  for (const refusal of [
    new Refusal(500, 'Error getting S.M.A.R.T. data: Exit code: 2'),
    new Refusal('timeout'),
    new Refusal(403, 'Permission check failed (/, Sys.Audit)'),
  ]) {
    sick.transport.answer(table({ [path]: refusal }));
    expect((await sick.look()).states[name]).toMatch(/unobserved/);
    expect((await startCluster(table({ [path]: refusal })).look()).states[name]).toMatch(/unobserved/);
  }
});

it('a pool that has lost a member is unhealthy', async () => {
  const detail = clusterAnswers()['/nodes/pve1/disks/zfs/tank'] as Row;
  const text = JSON.stringify(detail)
    .replaceAll('"ONLINE"', '"DEGRADED"')
    .replace('nvme-B-part1","state":"DEGRADED"', 'nvme-B-part1","state":"FAULTED"');
  const { states } = await startCluster(table({ '/nodes/pve1/disks/zfs/tank': JSON.parse(text) })).look();
  expect(states['tank zfs_unhealthy']).toMatch(/raised/);
});

it('use that looks high is judged by its history, at the first look', async () => {
  const busy = withGuest(
    { cpu: 0.97 },
    { '/nodes/pve1/qemu/100/rrddata': rrd(70, () => ({ cpu: 0.95, mem: GIB, maxmem: 4 * GIB })) },
  );
  expect((await startCluster(busy).look()).states['vm100 high_cpu']).toBe('raised:warning');
  const spike = withGuest(
    { cpu: 0.97 },
    { '/nodes/pve1/qemu/100/rrddata': rrd(70, () => ({ cpu: 0.1, mem: GIB, maxmem: 4 * GIB })) },
  );
  expect((await startCluster(spike).look()).states['vm100 high_cpu']).toBe('clear');
});

it('much memory of a virtual machine proves nothing, of a node without ZFS it does', async () => {
  const full = { '/nodes/pve2/rrddata': rrd(70, () => ({ cpu: 0.1, memtotal: 64 * GIB, memused: 60 * GIB })) };
  const rows = [...resources().filter((row) => row['id'] !== 'node/pve2'), node('pve2', { mem: 60 * GIB })];
  const { states } = await startCluster(
    table({
      '/cluster/resources': rows.map((row) => (row['vmid'] === 100 ? vm(100, { mem: 4 * GIB }) : row)),
      ...full,
    }),
  ).look();
  expect(states['pve2 high_memory']).toBe('raised:warning');
  expect(states['vm100 high_memory']).toMatch(/unobserved/);
});

it('a snapshot of last month is old', async () => {
  const snapshot = '/nodes/pve1/qemu/100/snapshot';
  const { states } = await startCluster(
    table({ [snapshot]: [{ name: 'old', snaptime: NOW_S - 40 * 86_400 }, { name: 'current' }] }),
  ).look();
  expect(
    Object.entries(states).filter(([key, state]) => key.startsWith('vm100 snapshot_old') && /raised/.test(state)),
  ).toHaveLength(1);
});
