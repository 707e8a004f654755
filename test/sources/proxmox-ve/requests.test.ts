import { expect, it } from 'vitest';
import type { AnswerTable } from '../../support/proxmox-answers.ts';
import { clusterAnswers, nightly } from '../../support/proxmox-ve-cluster.ts';
import { patrolRequests, watchRequests } from '../../support/proxmox-ve-requests.ts';
import { AUDITOR, certificates, node, type Row, storage, vm } from '../../support/proxmox-ve-rows.ts';
import { startCluster, WATCH } from '../../support/proxmox-ve-survey.ts';

const SMALL = {
  nodes: 2,
  disks: 2,
  zfsPools: 1,
  backupStorages: 3,
  backupJobs: 1,
  replicatingNodes: 0,
  guestsDue: 3,
  agents: 0,
  suspects: 0,
  usesHa: false,
};
const MAKER = { ...AUDITOR, 'Datastore.AllocateSpace': 1, 'VM.Backup': 1 };

it('a small cluster costs what the formula says', async () => {
  const { look } = startCluster({ ...clusterAnswers(), '/access/permissions': { '/': MAKER } });
  expect((await look()).requests).toBe(patrolRequests(SMALL) + 1);
  expect((await look(WATCH)).requests).toBe(watchRequests(SMALL));
  expect((await look()).requests).toBe(patrolRequests({ ...SMALL, guestsDue: 0 }));
});

const NODES = 60;
const GUESTS = 5_000;
const names = Array.from({ length: NODES }, (_each, index) => `pve${index + 1}`);
const nameOf = (index: number): string => names[index % NODES] ?? 'pve1';
const guests: readonly Row[] = Array.from({ length: GUESTS }, (_each, index) =>
  vm(100 + index, { node: nameOf(index) }),
);

const ofNode = (name: string): AnswerTable => ({
  [`/nodes/${name}/time`]: { time: 1_773_144_000, timezone: 'Europe/Vienna' },
  [`/nodes/${name}/status`]: { uptime: 1e6 },
  [`/nodes/${name}/rrddata`]: [],
  [`/nodes/${name}/certificates/info`]: certificates(),
  [`/nodes/${name}/disks/list`]: [],
  [`/nodes/${name}/disks/zfs`]: [],
  [`/nodes/${name}/disks/lvmthin`]: [],
  [`/nodes/${name}/tasks`]: [],
});

const ofGuest = ({ node: on, vmid }: Row): AnswerTable => ({
  [`/nodes/${String(on)}/qemu/${String(vmid)}/config`]: { onboot: 1 },
  [`/nodes/${String(on)}/qemu/${String(vmid)}/snapshot`]: [{ name: 'current' }],
});

it('a big estate grows with its nodes, and a watch costs a tenth of a patrol or less', async () => {
  const table: AnswerTable = {
    ...clusterAnswers(),
    '/access/permissions': { '/': MAKER },
    '/cluster/status': [
      { type: 'cluster', name: 'big', quorate: 1 },
      ...names.map((name) => ({ type: 'node', name, online: 1 })),
    ],
    '/cluster/resources': [
      ...guests,
      ...names.map((name) => node(name)),
      ...names.map((name) => storage('nas', name, { shared: 1, content: 'backup' })),
    ],
    '/cluster/backup': [nightly()],
    '/nodes/pve1/storage/nas/content': [],
    ...Object.assign({}, ...names.map(ofNode), ...guests.map(ofGuest)),
  };
  const { look } = startCluster(table);
  const size = { ...SMALL, nodes: NODES, disks: 0, zfsPools: 0, backupStorages: 1, guestsDue: GUESTS };
  const patrol = await look();
  expect(patrol.requests).toBe(patrolRequests(size) + 1);
  const watch = await look(WATCH);
  expect(watch.requests).toBe(watchRequests(size));
  expect(watch.requests * 10).toBeLessThanOrEqual(patrol.requests);
  expect(watch.sighting.claims.length).toBe(patrol.sighting.claims.length);
}, 60_000);
