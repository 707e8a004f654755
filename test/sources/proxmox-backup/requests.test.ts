import { expect, it } from 'vitest';
import type { AnswerTable } from '../../support/proxmox-answers.ts';
import { datastoreUsage, gcJob, group, nights, PBS_NOW_S, type Row } from '../../support/proxmox-backup-answers.ts';
import {
  backupHourlyRequests,
  backupPatrolRequests,
  backupWatchRequests,
} from '../../support/proxmox-backup-requests.ts';
import { FAST, HOURLY, startBackupServer } from '../../support/proxmox-backup-survey.ts';

const NONE = {
  datastores: 1,
  namespaces: 1,
  solidStateDisks: 0,
  rotatingDisks: 0,
  zfsPools: 0,
  changedNamespaces: 0,
  changedGroups: 0,
};

const disk = (name: string, type: string): Row => ({ name, devpath: `/dev/${name}`, 'disk-type': type, size: 1e12 });

it('a small server costs what the formula says', async () => {
  const { look } = startBackupServer({
    '/nodes/localhost/disks/list': [disk('sda', 'hdd'), disk('sdb', 'hdd'), disk('nvme0n1', 'ssd')],
    '/nodes/localhost/disks/smart': { status: 'passed', attributes: [] },
    '/nodes/localhost/disks/zfs': [{ name: 'tank', health: 'ONLINE' }],
    '/nodes/localhost/disks/zfs/tank': { state: 'ONLINE', children: [] },
  });
  const size = { ...NONE, solidStateDisks: 1, rotatingDisks: 2, zfsPools: 1 };
  expect((await look()).requests).toHaveLength(backupPatrolRequests({ ...size, changedGroups: 2 }));
  expect((await look(FAST)).requests).toHaveLength(backupWatchRequests());
  expect((await look(HOURLY)).requests).toHaveLength(backupHourlyRequests(size));
  expect((await look()).requests).toHaveLength(backupPatrolRequests(size));
});

const STORES = Array.from({ length: 20 }, (_, index) => `store${index + 1}`);
const IDS = Array.from({ length: 250 }, (_, index) => 100 + index);

const ofStore = (name: string): AnswerTable => ({
  [`/admin/datastore/${name}/namespace`]: [{ ns: '' }],
  [`/admin/datastore/${name}/groups`]: IDS.map((id) => group('vm', id)),
  [`/admin/datastore/${name}/snapshots`]: (): readonly Row[] => IDS.flatMap((id) => nights('vm', id)),
});

it('many datastores cost two or three requests each, however many groups they hold, and a watch none', async () => {
  const { look, answer, state } = startBackupServer({
    '/status/datastore-usage': STORES.map((name, index) => datastoreUsage(name, { avail: 1e12 * (index + 1) })),
    '/admin/datastore': STORES.map((store) => ({ store })),
    '/admin/gc': STORES.map((name) => gcJob(name)),
    ...Object.assign({}, ...STORES.map(ofStore)),
  });
  const size = { ...NONE, datastores: 20, namespaces: 20 };
  const first = await look();
  expect(first.requests).toHaveLength(backupPatrolRequests({ ...size, changedNamespaces: 20 }));
  const quiet = await look();
  expect(quiet.requests).toHaveLength(backupPatrolRequests(size));
  const watch = await look(FAST);
  expect(watch.requests.length * 10).toBeLessThanOrEqual(quiet.requests.length);
  expect(watch.sighting.claims.length).toBe(quiet.sighting.claims.length);
  const later = IDS.map((id) => group('vm', id, id < 103 ? { 'last-backup': PBS_NOW_S - 60 } : {}));
  answer({ '/admin/datastore/store7/groups': later });
  expect((await look()).requests).toHaveLength(backupPatrolRequests({ ...size, changedGroups: 3 }));
  for (const name of STORES) expect(state.size(`groups/${name}`)).toBeLessThan(40_000);
}, 60_000);
