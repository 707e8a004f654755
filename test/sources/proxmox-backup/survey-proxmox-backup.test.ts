/** Whole surveys of a backup server, from its answers to verdicts. */
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../support/proxmox-answers.ts';
import {
  datastoreUsage,
  FULL_RIGHTS,
  group,
  HOUR_S,
  PBS_NOW_S,
  snapshot,
} from '../../support/proxmox-backup-answers.ts';
import { FAST, guestOf, HOURLY, startBackupServer } from '../../support/proxmox-backup-survey.ts';

const raised = (states: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(states).flatMap(([what, state]) => (state.startsWith('raised') ? [`${what} ${state}`] : []));
const unseen = (states: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(states).flatMap(([what, state]) => (state.startsWith('unobserved') ? [`${what} ${state}`] : []));

describe('a server that is well', () => {
  it('is wholly seen, and nothing is raised, however often one looks', async () => {
    const server = startBackupServer({}, { guests: [guestOf('vm', 100), guestOf('ct', 200)] });
    for (let round = 0; round < 3; round += 1) {
      const { sighting, states } = await server.look();
      expect(sighting.gaps).toEqual([]);
      expect(raised(states)).toEqual([]);
      expect(unseen(states)).toEqual([]);
      await server.clock.advance(60_000);
    }
  });

  it('is asked in a watch for what every watch needs, in an hour for its lists, in a patrol for what has changed', async () => {
    const server = startBackupServer();
    const patrol = await server.look();
    expect(patrol.requests).toHaveLength(17);
    const watch = await server.look(FAST);
    expect(watch.requests).toEqual(['/access/permissions', '/status/datastore-usage', '/nodes/localhost/status']);
    const hourly = await server.look(HOURLY);
    expect(hourly.requests.filter((url) => url.includes('snapshots'))).toEqual([]);
    const again = await server.look();
    expect(again.requests.filter((url) => url.includes('snapshots'))).toEqual([]);
  });

  it('keeps its ids when the source is renamed, its certificate renewed, or its address changed', async () => {
    const { sighting } = await startBackupServer().look();
    const keys = sighting.claims.find(({ kind }) => kind === 'datastore')?.keys.map(({ key }) => key);
    expect(keys).toEqual([
      `pbs-datastore:${'AB'.repeat(32)}/store1`,
      'pbs-datastore:pbs.example/store1',
      'pbs-datastore-named:pbs1/store1',
    ]);
    expect(sighting.claims.every(({ keys: own }) => own.every(({ strength }) => strength === 'hint'))).toBe(true);
  });

  it('is called by the name that its tasks bear, from the first survey on', async () => {
    const { sighting } = await startBackupServer().look();
    expect(sighting.claims.find(({ ref }) => ref === 'server')).toMatchObject({ name: 'pbs1', slug: 'pbs1' });
  });
});

describe('answers that are refused, cut off or empty', () => {
  const guests = [guestOf('vm', 100)];
  const damaged = {
    '/admin/datastore/store1/snapshots': [
      snapshot('vm', 100, PBS_NOW_S - 10 * HOUR_S, { verification: { state: 'failed', upid: 'UPID:x' } }),
    ],
    '/admin/gc': [
      { store: 'store1', schedule: 'daily', 'last-run-state': 'out of space', 'last-run-endtime': PBS_NOW_S },
    ],
  };
  const FAULTS = ['store1 backup_upkeep_failed:gc', 'store1 backup_verify_failed:pbs:ABABABAB/store1'];

  it('of the whole server make the survey fail', async () => {
    for (const refusal of [new Refusal('unreachable'), new Refusal(401), new Refusal('half'), new Refusal(500)]) {
      const server = startBackupServer({ '/status/datastore-usage': refusal });
      await expect(server.look()).rejects.toThrow(/pbs|pve1|datastore-usage/);
    }
    const locked = startBackupServer({ '/access/permissions': new Refusal(401) });
    await expect(locked.look()).rejects.toThrow(/does not accept/);
  });

  it.each([
    ['groups', '/admin/datastore/store1/groups'],
    ['namespaces', '/admin/datastore/store1/namespace'],
    ['snapshots', '/admin/datastore/store1/snapshots'],
    ['garbage collection', '/admin/gc'],
    ['prune jobs', '/admin/prune'],
    ['verify jobs', '/admin/verify'],
    ['sync jobs', '/admin/sync'],
    ['tasks', '/nodes/localhost/tasks'],
    ['status', '/nodes/localhost/status'],
    ['time', '/nodes/localhost/time'],
  ])('of %s raise nothing and resolve nothing', async (_, path) => {
    for (const broken of [new Refusal(500), new Refusal(403), new Refusal('half'), new Refusal('timeout')]) {
      const well = startBackupServer({}, { guests });
      await well.look();
      // Another backup was made, so that its snapshots are due as well.
      const groups = [group('vm', 100, { 'backup-count': 4 }), group('ct', 200)];
      well.answer({ '/admin/datastore/store1/groups': groups, [path]: broken });
      await well.clock.advance(3_600_000);
      const { sighting, states } = await well.look();
      expect(raised(states)).toEqual([]);
      expect(sighting.gaps.length).toBeGreaterThan(0);

      const ill = startBackupServer(damaged, { guests });
      expect(raised((await ill.look()).states).toSorted()).toEqual(
        FAULTS.map((fault) => expect.stringMatching(new RegExp(`^${fault} raised`))),
      );
      ill.answer({ ...damaged, [path]: broken });
      for (let round = 0; round < 3; round += 1) {
        await ill.clock.advance(3_600_000);
        const { states: later } = await ill.look();
        for (const fault of FAULTS) expect(later[fault]).toMatch(/raised|unobserved/);
      }
    }
  });

  it('that are empty where there was something are not believed the first time', async () => {
    const server = startBackupServer(damaged, { guests });
    await server.look();
    server.answer({ ...damaged, '/admin/datastore/store1/groups': [] });
    const first = await server.look();
    expect(first.states['store1 backup_verify_failed:pbs:ABABABAB/store1']).toMatch(/unobserved/);
    expect(first.sighting.gaps.map(({ code }) => code)).toContain('empty');
    const second = await server.look();
    expect(second.sighting.gaps.map(({ code }) => code)).not.toContain('empty');
  });

  it('keep the groups that there were, so that guests do not lose a source', async () => {
    const server = startBackupServer({}, { guests });
    const before = await server.look();
    server.answer({ '/admin/datastore/store1/groups': new Refusal(500) });
    const after = await server.look();
    const refs = ({ sighting }: typeof before): readonly string[] => sighting.claims.map(({ ref }) => ref).toSorted();
    expect(refs(after)).toEqual(refs(before));
    expect(after.sighting.readings.filter(({ kind }) => kind === 'backup')).toEqual([]);
  });
});

describe('rights that are too small', () => {
  it('are named, and what they hide makes no list whole', async () => {
    const server = startBackupServer({
      '/access/permissions': { '/datastore/store1': { 'Datastore.Audit': true } },
      '/status/datastore-usage': [],
    });
    const { sighting, requests } = await server.look();
    expect(sighting.gaps.map(({ reason }) => reason).join()).toContain(
      'lacks Datastore.Audit on /datastore, Sys.Audit on /system/status, Sys.Audit on /system/tasks, Sys.Audit on /system/disks, Remote.Audit on /remote',
    );
    expect(sighting.listed).not.toContainEqual(expect.objectContaining({ kind: 'datastore' }));
    expect(requests).not.toContain('/nodes/localhost/status');
  });

  it('are all there with the roles that the docs give', async () => {
    const { sighting } = await startBackupServer({ '/access/permissions': FULL_RIGHTS }).look();
    expect(sighting.gaps).toEqual([]);
    expect(sighting.listed).toContainEqual({ kind: 'datastore', parentRef: 'server' });
  });
});

describe('older servers', () => {
  it('are not asked for the direction of sync jobs, which they would refuse', async () => {
    const { requests } = await startBackupServer({ '/version': { version: '3.2', release: '7' } }).look();
    expect(requests).toContain('/admin/sync');
  });

  it('without namespaces and without a list of garbage collections are read as far as they go', async () => {
    const server = startBackupServer({
      '/admin/datastore/store1/namespace': new Refusal(404, 'Path not found'),
      '/admin/gc': new Refusal(404, 'Path not found'),
    });
    const { sighting } = await server.look();
    expect(sighting.gaps.every(({ code }) => code === 'not_supported')).toBe(true);
    expect(sighting.readings.filter(({ kind }) => kind === 'backup')).toHaveLength(2);
  });
});

it('drops an entry that it does not understand, says so, and calls no list whole then', async () => {
  const server = startBackupServer({ '/status/datastore-usage': [datastoreUsage('store1'), { total: 1 }] });
  const { sighting } = await server.look();
  expect(sighting.gaps).toMatchObject([{ code: 'malformed' }]);
  expect(sighting.listed).toEqual([]);
});

it('shows no control characters of what others wrote', async () => {
  const evil = 'vm\u202e\u001b[31m';
  const server = startBackupServer({
    '/admin/datastore/store1/groups': [group('vm', evil)],
    '/status/datastore-usage': [datastoreUsage('store1', { error: `token=hunter2secret ${evil}` })],
  });
  const { sighting } = await server.look();
  const shown = JSON.stringify(sighting.gaps) + JSON.stringify(sighting.claims.map(({ name }) => name));
  expect(shown).not.toMatch(/\\u001b|\u202e|hunter2/);
});
