/** Jobs of a backup server, from what it lists to verdicts. */
import { describe, expect, it } from 'vitest';
import type { ReadingOf } from '../../../../signals/reading.ts';
import type { Sighting } from '../../../../src/sources/source.ts';
import {
  DAY_S,
  gcJob,
  HOUR_S,
  LAST_NIGHT_S,
  PBS_NOW_S,
  pbsJob,
  type Row,
  upidOf,
} from '../../../support/proxmox-backup-answers.ts';
import { FAST, startBackupServer } from '../../../support/proxmox-backup-survey.ts';

const upkeepOf = ({ readings }: Sighting, job: string): Partial<ReadingOf<'upkeep'>> | undefined =>
  readings.flatMap((reading) => (reading.kind === 'upkeep' && reading.job === job ? [reading] : []))[0];

const prune = (more: Row) => ({ '/admin/prune': [pbsJob('prunejob', 'p-1', 'store1', more)] });
const PRUNE = 'store1 backup_upkeep_failed:prune:p-1';

describe('how a job ended', () => {
  it.each([
    ['OK', 'clear'],
    ['WARNINGS: 2', 'clear'],
    ['unable to acquire lock on snapshot directory', 'raised:warning'],
    // In another language, or in words of another version: it is not OK.
    ['Auftrag fehlgeschlagen', 'raised:warning'],
    ['unknown', 'raised:warning'],
  ])('%s', async (state, verdict) => {
    const { states } = await startBackupServer(prune({ 'last-run-state': state })).look();
    expect(states[PRUNE]).toBe(verdict);
  });

  it('is kept while it runs again, when the server tells no more of the last one', async () => {
    const server = startBackupServer(prune({ 'last-run-state': 'failed to open store' }));
    await server.look();
    const running = prune({
      'last-run-state': undefined,
      'last-run-endtime': undefined,
      'last-run-upid': upidOf('prunejob', 'store1:p-1', PBS_NOW_S - 60),
    });
    server.answer(running);
    const { sighting, states } = await server.look();
    expect(upkeepOf(sighting, 'p-1')).toMatchObject({ running: true, lastRun: { outcome: 'failed' } });
    expect(states[PRUNE]).toBe('raised:warning');
    server.answer(prune({ 'last-run-endtime': PBS_NOW_S }));
    expect((await server.look()).states[PRUNE]).toBe('clear');
  });

  it('does not matter where it is disabled', async () => {
    const { states } = await startBackupServer(
      prune({ disable: true, 'last-run-state': 'error', 'next-run': undefined }),
    ).look();
    expect(states[PRUNE]).toBeUndefined();
  });
});

describe('when a job is due', () => {
  it('is told by the server, then by its calendar in the server’s zone', async () => {
    const { sighting } = await startBackupServer(prune({ schedule: 'mon..fri 03:00' })).look();
    // Vienna is an hour ahead of UTC in March; 02:00 UTC of the eleventh is the server’s own reckoning.
    expect(upkeepOf(sighting, 'p-1')?.dueAtMs).toEqual([(LAST_NIGHT_S + DAY_S) * 1000, Date.UTC(2026, 2, 12, 2)]);
  });

  it.each([
    ['was missed once', LAST_NIGHT_S, 'clear'],
    ['was missed twice', LAST_NIGHT_S - DAY_S, 'raised:warning'],
  ])('and %s', async (_, nextRunS, verdict) => {
    const past = { 'next-run': nextRunS, 'last-run-endtime': nextRunS - DAY_S + 60 };
    expect((await startBackupServer(prune(past)).look()).states[PRUNE]).toBe(verdict);
  });

  it('is never where it has no schedule, or one that nobody understands', async () => {
    for (const schedule of [undefined, 'whenever'] as const) {
      const { sighting } = await startBackupServer(prune({ schedule, 'next-run': undefined })).look();
      expect(upkeepOf(sighting, 'p-1')).toMatchObject({ dueAtMs: null, enabled: true });
    }
  });
});

describe('garbage collection', () => {
  const GC = 'store1 backup_upkeep_failed:gc';

  it('that never ran is due from when it was first seen: the server always reckons from now', async () => {
    const never = {
      '/admin/gc': [
        gcJob('store1', {
          upid: undefined,
          duration: undefined,
          'last-run-state': undefined,
          'last-run-endtime': undefined,
        }),
      ],
    };
    const server = startBackupServer(never);
    expect((await server.look()).states[GC]).toBe('clear');
    await server.clock.advance(2 * DAY_S * 1000);
    expect((await server.look()).states[GC]).toBe('raised:warning');
  });

  it('of which the server does not tell is unobserved', async () => {
    const { states } = await startBackupServer({ '/admin/gc': [] }).look();
    expect(states['store1 backup_upkeep_failed']).toBe('unobserved:empty');
  });

  it('is told with its start', async () => {
    const { sighting } = await startBackupServer().look();
    const startedAtMs = (PBS_NOW_S - 12 * HOUR_S) * 1000;
    expect(upkeepOf(sighting, 'gc')).toMatchObject({ action: 'gc', lastRun: { startedAtMs, outcome: 'ok' } });
  });
});

describe('sync jobs', () => {
  const sync = { '/admin/sync': [pbsJob('syncjob', 's-1', 'store1', { remote: 'off', 'last-run-state': 'no route' })] };
  const SYNC = 'store1 backup_upkeep_failed:sync:s-1';

  it('that fail are raised, and not resolved by losing the right to see them', async () => {
    const server = startBackupServer(sync);
    expect((await server.look()).states[SYNC]).toBe('raised:warning');
    server.answer({
      '/admin/sync': [],
      '/access/permissions': { '/': { 'Sys.Audit': true, 'Datastore.Audit': true } },
    });
    for (let round = 0; round < 3; round += 1) expect((await server.look()).states[SYNC]).toMatch(/unobserved/);
  });

  it('that were removed are gone', async () => {
    const server = startBackupServer(sync);
    await server.look();
    server.answer({ '/admin/sync': [] });
    expect((await server.look()).states[SYNC]).toBeUndefined();
  });
});

it('jobs are listed once an hour, and what is known of them holds in between', async () => {
  const server = startBackupServer(prune({ 'last-run-state': 'error' }));
  await server.look();
  const { requests, states, sighting } = await server.look(FAST);
  expect(requests.join()).not.toContain('/admin/');
  expect(states[PRUNE]).toBeUndefined();
  expect(sighting.gaps.every(({ code }) => code === 'not_due')).toBe(true);
});
