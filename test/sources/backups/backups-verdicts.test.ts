import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandRunner } from '../../../src/runtime/command.ts';
import { backupsConfigSchema } from '../../../src/sources/backups/backups-config.ts';
import { createBackupsSource } from '../../../src/sources/backups/backups-source.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { createJudge } from '../../support/judge-sighting.ts';
import { type Units, withSystemctl } from '../../support/recorded-systemctl.ts';
import { sourceDeps, surveyRequest } from '../../support/source-deps.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.UTC(2026, 5, 15, 12);
const HOST = hostname();

const failedUnit = (startedAt: string, endedAt: string): string => `LoadState=loaded
ActiveState=failed
SubState=failed
Result=exit-code
ExecMainStatus=1
InactiveExitTimestamp=Mon ${startedAt} UTC
InactiveEnterTimestamp=Mon ${endedAt} UTC
`;

describe('backups, judged', () => {
  let path = '';
  let clock: FakeClock;
  let units: Units = {};

  beforeEach(() => {
    path = temporaryDirectory();
    clock = createFakeClock(NOON_MS);
    units = {};
  });

  const archive = (name: string, atMs: number): void => {
    writeFileSync(join(path, name), 'x');
    utimesSync(join(path, name), atMs / 1_000, atMs / 1_000);
  };
  const daemon = (entries: readonly object[], commands: CommandRunner = withSystemctl(() => units)) => {
    const deps = sourceDeps({ clock });
    const source = createBackupsSource('backups', backupsConfigSchema.parse(entries), deps, commands);
    const judge = createJudge();
    return async (waitMs = 0) => {
      await clock.advance(waitMs);
      const { states } = judge.judge(await source.survey(surveyRequest()), clock.nowMs(), null);
      return Object.fromEntries(Object.entries(states).map(([key, state]) => [key.replace(`${HOST} `, ''), state]));
    };
  };
  const dump = (more: object = {}): object => ({ name: 'dump', type: 'directory', path, ...more });

  it('are stale when they are overdue, and fresh again after a good one', async () => {
    archive('a.tar', NOON_MS - 10 * HOUR_MS);
    const look = daemon([dump({ every: '24h' })]);
    expect(await look()).toEqual({ 'backup_failed:dump': 'clear', 'backup_stale:dump': 'clear' });
    expect(await look(20 * HOUR_MS)).toMatchObject({ 'backup_stale:dump': 'raised:warning' });
    expect(await look(24 * HOUR_MS)).toMatchObject({ 'backup_stale:dump': 'raised:critical' });
    archive('b.tar', clock.nowMs() - HOUR_MS);
    expect(await look(HOUR_MS)).toMatchObject({ 'backup_stale:dump': 'clear' });
  });

  it('that were never made are told once a day has passed', async () => {
    const look = daemon([dump({ every: '24h' })]);
    expect(await look()).toMatchObject({ 'backup_stale:dump': 'clear' });
    expect(await look(27 * HOUR_MS)).toMatchObject({ 'backup_stale:dump': 'raised:warning' });
  });

  it('have failed when the unit has, until there is a newer one', async () => {
    archive('a.tar', NOON_MS - 34 * HOUR_MS);
    units = { 'dump.service': failedUnit('2026-06-15 02:00:00', '2026-06-15 02:05:00') };
    const look = daemon([dump({ unit: 'dump' })]);
    expect(await look()).toMatchObject({ 'backup_failed:dump': 'raised:warning', 'backup_stale:dump': 'clear' });
    archive('b.tar', NOON_MS - HOUR_MS);
    expect(await look(HOUR_MS)).toMatchObject({ 'backup_failed:dump': 'clear' });
  });

  it('that can not be read are unobserved, and what was raised stays', async () => {
    archive('a.tar', NOON_MS - 100 * HOUR_MS);
    const look = daemon([dump()]);
    expect(await look()).toMatchObject({ 'backup_stale:dump': 'raised:critical' });
    rmSync(path, { recursive: true });
    expect(await look(HOUR_MS)).toMatchObject({ 'backup_stale:dump': 'unobserved:unreachable' });
    mkdirSync(path);
    expect(await look(HOUR_MS)).toMatchObject({ 'backup_stale:dump': 'unobserved:empty' });
    expect(await look(HOUR_MS)).toMatchObject({ 'backup_stale:dump': 'raised:critical' });
  });

  it('beside others that can be read are still said to be unobserved', async () => {
    archive('a.tar', NOON_MS - 10 * HOUR_MS);
    const states = await daemon([
      dump(),
      { name: 'laptop', type: 'restic', repository: join(path, 'nowhere'), password: 'x' },
    ])();
    expect(states).toMatchObject({ 'backup_stale:dump': 'clear' });
    expect(Object.values(states).filter((state) => state.startsWith('unobserved'))).not.toEqual([]);
  });

  it('whose program is not installed are unobserved, never missing', async () => {
    const missing: CommandRunner = { run: async () => ({ kind: 'not_found' }) };
    const states = await daemon([{ name: 'laptop', type: 'borg', repository: '/srv/borg', password: 'x' }], missing)();
    expect(new Set(Object.values(states))).toEqual(new Set(['unobserved:not_installed']));
  });
});
