/** A cluster and the backup server that it writes to, each seen by its own source: one thing, one problem. */
import { expect, it } from 'vitest';
import type { Sighting } from '../../../src/sources/source.ts';
import { createInventory, surveyOf } from '../../support/identities.ts';
import { createJudge } from '../../support/judge-sighting.ts';
import type { AnswerTable } from '../../support/proxmox-answers.ts';
import {
  datastoreUsage,
  failedTask,
  group,
  HOUR_S,
  LAST_NIGHT_S,
  PBS_FINGERPRINT,
  PBS_NOW_MS,
  PBS_NOW_S,
  snapshot,
} from '../../support/proxmox-backup-answers.ts';
import { startBackupServer } from '../../support/proxmox-backup-survey.ts';
import { clusterAnswers, nightly } from '../../support/proxmox-ve-cluster.ts';
import { AUDITOR, node, ROOT_CA, type Row, storage, vm } from '../../support/proxmox-ve-rows.ts';
import { startCluster } from '../../support/proxmox-ve-survey.ts';
import { surveyRequest } from '../../support/source-deps.ts';

const TARGET = 'pbs:ABABABAB/store1';
const TIB = 1024 ** 4;

const pbsStorage = (more: Row = {}): Row => ({
  storage: 'pbs1',
  type: 'pbs',
  content: 'backup',
  server: 'pbs.example',
  datastore: 'store1',
  fingerprint: PBS_FINGERPRINT,
  username: 'backup@pbs!pve',
  ...more,
});

const archiveOf = (vmid: number, atS: number): Row => ({
  volid: `pbs1:backup/vm/${vmid}/${atS}`,
  vmid,
  ctime: atS,
  size: 34_359_738_368,
  format: 'pbs-vm',
  content: 'backup',
});

const clusterWith = (more: AnswerTable = {}): AnswerTable => ({
  ...clusterAnswers(),
  '/access/permissions': { '/': { ...AUDITOR, 'Datastore.AllocateSpace': 1, 'VM.Backup': 1 } },
  '/storage': [pbsStorage()],
  '/cluster/backup': [nightly({ storage: 'pbs1', schedule: '02:00' })],
  '/cluster/resources': [
    node('pve1'),
    node('pve2'),
    vm(100),
    storage('pbs1', 'pve1', { plugintype: 'pbs', shared: 1, content: 'backup', disk: 4 * TIB, maxdisk: 8 * TIB }),
  ],
  '/nodes/pve1/storage/pbs1/content': [archiveOf(100, LAST_NIGHT_S)],
  ...more,
});

const cluster = (more: AnswerTable = {}): Promise<Sighting> =>
  startCluster(clusterWith(more)).source.survey(surveyRequest());

const server = async (more: AnswerTable = {}): Promise<Sighting> => (await startBackupServer(more).look()).sighting;

const verdicts = (sightings: Readonly<Record<string, Sighting>>): Readonly<Record<string, string>> =>
  createJudge().judgeAll(new Map(Object.entries(sightings)), PBS_NOW_MS, null).states;

const raised = (states: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(states).flatMap(([what, state]) => (state.startsWith('raised') ? [`${what} ${state}`] : []));

const resolved = (sightings: Readonly<Record<string, Sighting>>) =>
  createInventory().run(Object.entries(sightings).map(([id, { claims }]) => surveyOf(id, claims)));

it('see one guest and one datastore, and nothing that is wrong', async () => {
  const sightings = {
    home: await cluster(),
    backups: await server({ '/admin/datastore/store1/groups': [group('vm', 100)] }),
  };
  const { resources, problems } = resolved(sightings);
  expect(resources.filter(({ kind }) => kind === 'vm')).toMatchObject([
    { name: 'vm100', sourceIds: ['home', 'backups'] },
  ]);
  expect(resources.filter(({ kind }) => kind === 'datastore')).toMatchObject([{ sourceIds: ['home', 'backups'] }]);
  expect(problems).toEqual([]);
  const states = verdicts(sightings);
  expect(raised(states)).toEqual([]);
  expect(states).toMatchObject({
    [`vm100 backup_stale:${TARGET}`]: 'clear',
    [`vm100 backup_failed:${TARGET}`]: 'clear',
  });
});

it('raise one finding for a datastore that both see filling up', async () => {
  const used = 7.8 * TIB;
  const full = storage('pbs1', 'pve1', {
    plugintype: 'pbs',
    shared: 1,
    content: 'backup',
    disk: used,
    maxdisk: 8 * TIB,
  });
  const states = verdicts({
    home: await cluster({ '/cluster/resources': [node('pve1'), node('pve2'), vm(100), full] }),
    backups: await server({
      '/status/datastore-usage': [datastoreUsage('store1', { used, avail: 0.2 * TIB, history: [] })],
    }),
  });
  expect(raised(states).filter((what) => what.includes('high_disk'))).toEqual(['store1 high_disk raised:critical']);
});

it('raise one finding for a backup that failed, whichever of them tells of it', async () => {
  const failing = { '/nodes/localhost/tasks': [failedTask('store1:vm/100', PBS_NOW_S - HOUR_S, 'connection reset')] };
  const states = verdicts({ home: await cluster(), backups: await server(failing) });
  expect(raised(states)).toEqual([`vm100 backup_failed:${TARGET} raised:warning`]);
});

it('raise one finding for a backup that is overdue: the job is the cluster’s, the archive the server’s', async () => {
  const daysAgo = LAST_NIGHT_S - 3 * 86_400;
  const old = { '/nodes/pve1/storage/pbs1/content': [archiveOf(100, daysAgo)] };
  const groups = {
    '/admin/datastore/store1/groups': [group('vm', 100, { 'last-backup': daysAgo })],
    '/admin/datastore/store1/snapshots': [snapshot('vm', 100, daysAgo)],
  };
  const both = verdicts({ home: await cluster(old), backups: await server(groups) });
  expect(raised(both)).toEqual([`vm100 backup_stale:${TARGET} raised:critical`]);
  const fresh = verdicts({ home: await cluster(old), backups: await server() });
  expect(raised(fresh)).toEqual([]);
});

it('leave a group to nobody where two clusters have a guest of that number, and keep those apart', async () => {
  const other = await cluster({
    '/nodes/pve1/certificates/info': [{ filename: 'pve-root-ca.pem', fingerprint: ROOT_CA.replaceAll('A', 'B') }],
  });
  const sightings = { home: await cluster(), away: other, backups: await server() };
  const { resources, problems } = resolved(sightings);
  expect(resources.filter(({ kind }) => kind === 'vm')).toHaveLength(2);
  expect(problems).toContainEqual(
    expect.objectContaining({ kind: 'unattributed', ref: 'group:store1::vm/100', because: 'several' }),
  );
});

it('say which groups are nobody’s, and alert for none of them: a deleted guest, another namespace, a copy', async () => {
  const gone = await cluster({ '/cluster/resources': [node('pve1'), node('pve2')] });
  const elsewhere = await cluster({ '/storage': [pbsStorage({ namespace: 'site-a' })] });
  const old = { '/admin/datastore/store1/groups': [group('vm', 100, { 'last-backup': LAST_NIGHT_S - 90 * 86_400 })] };
  for (const home of [gone, elsewhere]) {
    const sightings = { home, backups: await server(old) };
    expect(resolved(sightings).problems).toMatchObject([{ kind: 'unattributed', because: 'nobody' }]);
    expect(raised(verdicts(sightings)).filter((what) => what.includes(TARGET))).toEqual([]);
  }
});
