/** Groups of backups, from what the server lists to verdicts about guests and datastores. */
import { describe, expect, it } from 'vitest';
import type { ReadingOf } from '../../../../signals/reading.ts';
import type { Sighting } from '../../../../src/sources/source.ts';
import { Refusal } from '../../../support/proxmox-answers.ts';
import {
  DAY_S,
  datastoreUsage,
  failedTask,
  gcJob,
  group,
  HOUR_S,
  LAST_NIGHT_S,
  nights,
  PBS_NOW_S,
  pbsJob,
  type Row,
  runningTask,
  snapshot,
  unfinished,
} from '../../../support/proxmox-backup-answers.ts';
import { FAST, guestOf, HOURLY, startBackupServer } from '../../../support/proxmox-backup-survey.ts';

const TARGET = 'pbs:ABABABAB/store1';
const GROUPS = '/admin/datastore/store1/groups';
const SNAPSHOTS = '/admin/datastore/store1/snapshots';
const TASKS = '/nodes/localhost/tasks';

const backupOf = ({ readings }: Sighting, ref: string): Partial<ReadingOf<'backup'>> | undefined =>
  readings.flatMap((reading) => (reading.kind === 'backup' && reading.ref === ref ? [reading] : []))[0];

const verificationIn = ({ readings }: Sighting): readonly Partial<ReadingOf<'backup_verification'>>[] =>
  readings.flatMap((reading) => (reading.kind === 'backup_verification' ? [reading] : []));

const failed = (type: string, id: number, atS: number): Row =>
  snapshot(type, id, atS, { verification: { state: 'failed', upid: 'UPID:x' } });

describe('a group of backups', () => {
  it('is about the guest that answers to it, in its own namespace', async () => {
    const server = startBackupServer(
      {
        '/admin/datastore/store1/namespace': [{ ns: '' }, { ns: 'site-a' }],
        [`${GROUPS}?ns=site-a`]: [group('vm', 100, { 'last-backup': LAST_NIGHT_S + 60 })],
        [`${SNAPSHOTS}?backup-id=100&backup-type=vm&ns=site-a`]: nights('vm', 100),
      },
      { guests: [guestOf('vm', 100), guestOf('vm', 100, 'site-a')] },
    );
    const { states, sighting } = await server.look();
    expect(Object.keys(states).filter((what) => what.includes('backup_failed'))).toEqual([
      `vm100 backup_failed:${TARGET}`,
      `vm100 backup_failed:${TARGET}/site-a`,
    ]);
    expect(backupOf(sighting, 'group:store1:site-a:vm/100')).toMatchObject({
      target: `${TARGET}/site-a`,
      newestGoodAtMs: (LAST_NIGHT_S + 60) * 1000,
      archivesOnly: true,
    });
  });

  it('whose newest backup is not complete counts by the one before', async () => {
    const begun = PBS_NOW_S - HOUR_S;
    const table = {
      [GROUPS]: [group('vm', 100, { 'last-backup': begun, files: ['drive-scsi0.img.fidx'], 'backup-count': 4 })],
      [SNAPSHOTS]: [unfinished('vm', 100, begun), ...nights('vm', 100)],
    };
    const server = startBackupServer({ ...table, [TASKS]: [runningTask('store1:vm/100', begun)] });
    // Between patrols as well: it looks suspect.
    const { sighting } = await server.look(HOURLY);
    expect(backupOf(sighting, 'group:store1::vm/100')).toMatchObject({
      newestGoodAtMs: LAST_NIGHT_S * 1000,
      running: true,
      lastRun: null,
    });
  });

  it('whose backup was given up has failed, once nothing works on it', async () => {
    const begun = PBS_NOW_S - HOUR_S;
    const server = startBackupServer(
      {
        [GROUPS]: [group('vm', 100, { 'last-backup': begun, files: [], 'backup-count': 4 })],
        [SNAPSHOTS]: [unfinished('vm', 100, begun), ...nights('vm', 100)],
      },
      { guests: [guestOf('vm', 100)] },
    );
    const { states } = await server.look();
    expect(states[`vm100 backup_failed:${TARGET}`]).toBe('raised:warning');
  });

  it('of which no backup is complete has none, however many were begun', async () => {
    const server = startBackupServer({
      [GROUPS]: [group('vm', 100, { 'last-backup': PBS_NOW_S - 60, files: null, 'backup-count': 1 })],
      [SNAPSHOTS]: [unfinished('vm', 100, PBS_NOW_S - 60)],
    });
    // A server that tells no files is believed in what it tells.
    expect(backupOf((await server.look()).sighting, 'group:store1::vm/100')).toMatchObject({
      newestGoodAtMs: (PBS_NOW_S - 60) * 1000,
    });
    server.answer({
      [GROUPS]: [group('vm', 100, { 'last-backup': PBS_NOW_S - 60, files: ['a.blob'], 'backup-count': 1 })],
      [SNAPSHOTS]: [unfinished('vm', 100, PBS_NOW_S - 60)],
    });
    expect(backupOf((await server.look()).sighting, 'group:store1::vm/100')).toMatchObject({ newestGoodAtMs: null });
  });

  it('whose snapshots can not be listed while it looks suspect is unobserved', async () => {
    const server = startBackupServer(
      { [GROUPS]: [group('vm', 100, { files: [] })], [SNAPSHOTS]: new Refusal(500) },
      { guests: [guestOf('vm', 100)] },
    );
    const { sighting, states } = await server.look();
    expect(backupOf(sighting, 'group:store1::vm/100')).toBeUndefined();
    expect(states['vm100 backup_failed']).toBe('unobserved:cut_short');
  });
});

describe('a task that failed', () => {
  const guests = [guestOf('vm', 100)];
  const atS = PBS_NOW_S - 2 * HOUR_S;
  const words = 'backup ended but finished flag is not set.';

  it('raises for its guest until a later backup is good, also when the server has forgotten the task', async () => {
    const server = startBackupServer({ [TASKS]: [failedTask('store1:vm/100', atS, words)] }, { guests });
    const { states, sighting } = await server.look();
    expect(states[`vm100 backup_failed:${TARGET}`]).toBe('raised:warning');
    expect(backupOf(sighting, 'group:store1::vm/100')?.lastRun).toMatchObject({ reason: words, leftArchive: false });
    server.answer({ [TASKS]: [] });
    expect((await server.look()).states[`vm100 backup_failed:${TARGET}`]).toBe('raised:warning');
    server.answer({ [TASKS]: [], [GROUPS]: [group('vm', 100, { 'last-backup': atS + 600, 'backup-count': 4 })] });
    expect((await server.look()).states[`vm100 backup_failed:${TARGET}`]).toBe('clear');
  });

  it('is nobody’s where two namespaces hold such a group and the task names none', async () => {
    const server = startBackupServer(
      {
        '/admin/datastore/store1/namespace': [{ ns: '' }, { ns: 'b' }],
        [`${GROUPS}?ns=b`]: [group('vm', 100)],
        [TASKS]: [failedTask('store1:vm/100', atS, words)],
      },
      { guests },
    );
    expect((await server.look()).states[`vm100 backup_failed:${TARGET}`]).toBe('clear');
  });

  it('in a namespace that it names is that namespace’s', async () => {
    const server = startBackupServer(
      {
        '/admin/datastore/store1/namespace': [{ ns: '' }, { ns: 'b/c' }],
        [`${GROUPS}?ns=b%2Fc`]: [group('vm', 100)],
        [TASKS]: [failedTask('store1:b/c:vm/100', atS, words)],
      },
      { guests: [...guests, guestOf('vm', 100, 'b/c')] },
    );
    const { states } = await server.look();
    expect(states[`vm100 backup_failed:${TARGET}`]).toBe('clear');
    expect(states[`vm100 backup_failed:${TARGET}/b/c`]).toBe('raised:warning');
  });

  it('is none where it ended with warnings, or runs', async () => {
    const tasks = [failedTask('store1:vm/100', atS, 'WARNINGS: 2'), runningTask('store1:vm/100', atS)];
    const server = startBackupServer({ [TASKS]: tasks }, { guests });
    expect((await server.look()).states[`vm100 backup_failed:${TARGET}`]).toBe('clear');
  });
});

describe('verification', () => {
  it('that failed is told by the datastore, and clears when the damaged backup is gone', async () => {
    const server = startBackupServer({
      [SNAPSHOTS]: [failed('vm', 100, LAST_NIGHT_S), ...nights('vm', 100).slice(1), ...nights('ct', 200)],
    });
    const first = await server.look();
    expect(first.states[`store1 backup_verify_failed:${TARGET}`]).toBe('raised:critical');
    expect(verificationIn(first.sighting)).toMatchObject([
      { failed: [{ backup: 'vm/100/2026-03-10T02:00:00Z' }], verified: 5, unverified: 0 },
    ]);
    server.answer({
      [GROUPS]: [group('vm', 100, { 'backup-count': 2 }), group('ct', 200)],
      [SNAPSHOTS]: nights('vm', 100).slice(1),
    });
    expect((await server.look()).states[`store1 backup_verify_failed:${TARGET}`]).toBe('clear');
  });

  it('that was not done says nothing either way', async () => {
    const server = startBackupServer({ [SNAPSHOTS]: nights('vm', 100, { verification: undefined }) });
    expect(verificationIn((await server.look()).sighting)).toMatchObject([{ failed: [], verified: 0, unverified: 3 }]);
  });

  it('by a job is read when the job has ended, though no group has changed', async () => {
    const server = startBackupServer();
    await server.look();
    await server.clock.advance(HOUR_S * 1000);
    const ended = { 'last-run-endtime': PBS_NOW_S + 1_800, 'last-run-state': 'verification failed - see log' };
    server.answer({
      '/admin/verify': [pbsJob('verificationjob', 'v-1', 'store1', ended)],
      [SNAPSHOTS]: [failed('vm', 100, LAST_NIGHT_S), ...nights('ct', 200)],
    });
    const { states } = await server.look();
    expect(states[`store1 backup_verify_failed:${TARGET}`]).toBe('raised:critical');
    expect(states['store1 backup_upkeep_failed:verify:v-1']).toBe('raised:warning');
  });

  it('is asked for only at patrols, and what is known of it stays in between', async () => {
    const server = startBackupServer({ [SNAPSHOTS]: [failed('vm', 100, LAST_NIGHT_S)] });
    await server.look();
    for (const pace of [HOURLY, FAST]) {
      const { states, sighting } = await server.look(pace);
      expect(states[`store1 backup_verify_failed:${TARGET}`]).toBeUndefined();
      expect(sighting.gaps.filter(({ code }) => code !== 'not_due')).toEqual([]);
    }
  });
});

it('a server on slow disks has its turn in parts, and what was not listed is not taken for well', async () => {
  const ids = [100, 101, 102, 103, 104, 105];
  const stores = ['store1', 'store2', 'store3'];
  const server = startBackupServer({
    '/status/datastore-usage': stores.map((name, index) => datastoreUsage(name, { avail: 1e12 * (index + 1) })),
    '/admin/gc': stores.map((name) => gcJob(name)),
    ...Object.fromEntries(stores.map((name) => [`/admin/datastore/${name}/namespace`, [{ ns: '' }]])),
    ...Object.fromEntries(stores.map((name) => [`/admin/datastore/${name}/groups`, ids.map((id) => group('vm', id))])),
    ...Object.fromEntries(
      stores.map((name) => [
        `/admin/datastore/${name}/snapshots`,
        () => {
          server.clock.setWallClock(server.clock.nowMs() + 100_000);
          return ids.flatMap((id) => nights('vm', id));
        },
      ]),
    ),
  });
  const listed = ({ requests }: { readonly requests: readonly string[] }): number =>
    requests.filter((url) => url.includes('snapshots')).length;
  const first = await server.look();
  expect(listed(first)).toBe(2);
  expect(verificationIn(first.sighting)).toHaveLength(2);
  expect(first.sighting.gaps).toMatchObject([{ reads: ['backup_verification'], code: 'cut_short' }]);
  const second = await server.look();
  expect(listed(second)).toBe(1);
  expect(verificationIn(second.sighting)).toHaveLength(3);
});

it('a change that is seen between patrols is not forgotten by the next one', async () => {
  const server = startBackupServer();
  await server.look();
  const later = { 'last-backup': PBS_NOW_S - 60, 'backup-count': 4 };
  server.answer({
    [GROUPS]: [group('vm', 100, later), group('ct', 200)],
    [SNAPSHOTS]: [failed('vm', 100, PBS_NOW_S - 60), ...nights('vm', 100)],
  });
  expect((await server.look(HOURLY)).requests.filter((url) => url.includes('snapshots'))).toEqual([]);
  expect((await server.look()).states[`store1 backup_verify_failed:${TARGET}`]).toBe('raised:critical');
});

it('a backup that was deleted since is none, though it is remembered', async () => {
  const server = startBackupServer();
  await server.look();
  server.answer({ [GROUPS]: [group('vm', 100, { 'last-backup': LAST_NIGHT_S - DAY_S, 'backup-count': 2 })] });
  const { sighting } = await server.look(HOURLY);
  expect(backupOf(sighting, 'group:store1::vm/100')?.newestGoodAtMs).toBe((LAST_NIGHT_S - DAY_S) * 1000);
});

it('an estate of many groups costs one list of snapshots for each namespace, and none where nothing changed', async () => {
  const many = Array.from({ length: 300 }, (_, index) => group('vm', 1_000 + index));
  const all = many.flatMap((one) => nights('vm', String(one['backup-id'])));
  const server = startBackupServer({ [GROUPS]: many, [SNAPSHOTS]: all });
  const first = await server.look();
  expect(first.requests.filter((url) => url.includes('snapshots'))).toEqual([SNAPSHOTS]);
  expect(verificationIn(first.sighting)).toMatchObject([{ verified: 900 }]);
  const second = await server.look();
  expect(second.requests.filter((url) => url.includes('snapshots'))).toEqual([]);
  const later = many.map((one, index) => (index < 2 ? { ...one, 'last-backup': PBS_NOW_S - 60 } : one));
  server.answer({ [GROUPS]: later, [SNAPSHOTS]: all });
  const third = await server.look();
  expect(third.requests.filter((url) => url.includes('snapshots'))).toHaveLength(2);
});

it('a medium that is taken out takes no finding with it, and none is raised for want of it', async () => {
  const server = startBackupServer(
    { [SNAPSHOTS]: [failed('vm', 100, LAST_NIGHT_S)] },
    { guests: [guestOf('vm', 100)] },
  );
  await server.look();
  await server.clock.advance(3 * DAY_S * 1000);
  server.answer({
    '/status/datastore-usage': [{ store: 'store1', 'mount-status': 'notmounted' }],
    '/admin/gc': [],
    [GROUPS]: new Refusal(400),
  });
  for (let round = 0; round < 3; round += 1) {
    const { states, sighting } = await server.look();
    expect(states[`store1 backup_verify_failed:${TARGET}`]).toMatch(/unobserved/);
    expect(Object.values(states).filter((state) => state.startsWith('raised'))).toEqual([]);
    expect(sighting.claims.some(({ ref }) => ref === 'group:store1::vm/100')).toBe(true);
    await server.clock.advance(60_000);
  }
});
