/** Datastores, from what the server lists to verdicts. */
import { describe, expect, it } from 'vitest';
import { DAY_S, datastoreUsage, PBS_NOW_S, type Row } from '../../../support/proxmox-backup-answers.ts';
import { startBackupServer } from '../../../support/proxmox-backup-survey.ts';

const USAGE = '/status/datastore-usage';
const TIB = 1024 ** 4;
const start = (more: Row) => startBackupServer({ [USAGE]: [datastoreUsage('store1', more)] });

describe('how full it is', () => {
  it.each([
    ['half', 4, 'clear'],
    ['four fifths', 6.4, 'raised:warning'],
    ['nearly whole', 7.8, 'raised:critical'],
  ])('%s', async (_, used, state) => {
    const server = start({ used: used * TIB, avail: (8 - used) * TIB, history: [] });
    expect((await server.look()).states['store1 high_disk']).toBe(state);
  });

  it('and when it will be full is told from the past that the server keeps, at the first look', async () => {
    const history = Array.from({ length: 1_440 }, (_, index) => 0.2 + (0.68 * index) / 1_440);
    const { states } = await start({ used: 7.04 * TIB, avail: 0.96 * TIB, history }).look();
    expect(states['store1 disk_filling']).toMatch(/raised/);
  });

  it.each([0, -1, PBS_NOW_S - DAY_S, undefined])('and an estimated date of %s means never', async (date) => {
    const { sighting } = await start({ 'estimated-full-date': date }).look();
    expect(sighting.claims.find(({ kind }) => kind === 'datastore')?.facts).not.toHaveProperty('estimatedFullAtMs');
  });

  it('and shares from before a resize are left out, since their bytes are not known', async () => {
    const server = start({});
    const series = async (): Promise<number> => (await server.look()).sighting.series[0]?.samples.length ?? 0;
    expect(await series()).toBeGreaterThan(1_400);
    await server.clock.advance(2 * 3_600_000);
    server.answer({ [USAGE]: [datastoreUsage('store1', { total: 16 * TIB, used: 4 * TIB, avail: 12 * TIB })] });
    expect(await series()).toBe(0);
  });
});

describe('whether it can be used', () => {
  const twice = async (more: Row, maintenance?: string): Promise<string | undefined> => {
    const server = startBackupServer({
      [USAGE]: [{ store: 'store1', 'mount-status': 'nonremovable', ...more }],
      '/admin/datastore': [{ store: 'store1', maintenance }],
    });
    await server.look();
    await server.clock.advance(120_000);
    return (await server.look()).states['store1 storage_unavailable'];
  };

  it('not, when the server can not open it', async () => {
    expect(await twice({ error: 'unable to open chunk store \'store1\' at "/mnt/a/.chunks"' })).toBe('raised:warning');
  });

  it.each([
    ['type=offline,message="disk swap"', 'datastore is in offline maintenance mode: disk swap'],
    ['offline', 'datastore is in offline maintenance mode'],
    [undefined, 'datastore is in offline maintenance mode'],
  ])('is the operator’s affair in maintenance (%s)', async (maintenance, error) => {
    expect(await twice({ error }, maintenance)).toBeUndefined();
  });

  it('well, when it may be read but not written', async () => {
    const server = startBackupServer({ '/admin/datastore': [{ store: 'store1', maintenance: 'type=read-only' }] });
    expect((await server.look()).states['store1 storage_unavailable']).toBe('clear');
  });
});
