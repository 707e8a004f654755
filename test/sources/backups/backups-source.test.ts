import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BackupReading } from '../../../signals/reading.ts';
import type { Survey } from '../../../signals/survey.ts';
import type { CommandRunner } from '../../../src/runtime/command.ts';
import { backupsConfigSchema } from '../../../src/sources/backups/backups-config.ts';
import { backupsSource, createBackupsSource } from '../../../src/sources/backups/backups-source.ts';
import type { Pace, SourceDeps } from '../../../src/sources/source.ts';
import { surveySource } from '../../../src/sources/survey-source.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { type Units, withSystemctl } from '../../support/recorded-systemctl.ts';
import { sourceDeps, surveyRequest } from '../../support/source-deps.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOON_MS = Date.UTC(2026, 5, 15, 12);

const stamp = (atMs: number): string => {
  const iso = new Date(atMs).toISOString();
  const day = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' }).format(atMs);
  return `${day} ${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
};

interface RunText {
  readonly startMs: number;
  readonly endMs?: number;
  readonly result?: string;
  readonly status?: number;
}

/** `systemctl show dump.service`, of a oneshot. */
const service = ({ startMs, endMs, result = 'success', status = 0 }: RunText): string => {
  const isOver = endMs !== undefined;
  const failed = result !== 'success';
  return `LoadState=loaded
ActiveState=${isOver ? (failed ? 'failed' : 'inactive') : 'activating'}
SubState=${isOver ? (failed ? 'failed' : 'dead') : 'start'}
Result=${result}
ExecMainStatus=${status}
ExecMainStartTimestamp=${stamp(startMs)}
ExecMainExitTimestamp=${isOver ? stamp(endMs) : ''}
InactiveExitTimestamp=${stamp(startMs)}
InactiveEnterTimestamp=${isOver ? stamp(endMs) : stamp(startMs - DAY_MS)}
TriggeredBy=dump.timer
`;
};

const timer = (state: 'active' | 'inactive' = 'active'): string => `Id=dump.timer
LoadState=loaded
ActiveState=${state}
UnitFileState=${state === 'active' ? 'enabled' : 'disabled'}
NextElapseUSecRealtime=${state === 'active' ? stamp(NOON_MS + 14 * HOUR_MS) : ''}
LastTriggerUSec=${stamp(NOON_MS - 10 * HOUR_MS)}
TimersMonotonic=
TimersCalendar={ OnCalendar=*-*-* 02:00:00 UTC ; next_elapse=${stamp(NOON_MS + 14 * HOUR_MS)} }
RandomizedDelayUSec=0
`;

describe('backupsSource', () => {
  let path = '';
  let clock: FakeClock;
  let deps: SourceDeps;
  let units: Units = {};
  const commands = withSystemctl(() => units);

  beforeEach(() => {
    path = temporaryDirectory();
    clock = createFakeClock(NOON_MS);
    deps = sourceDeps({ clock });
    units = {};
  });

  const archive = (name: string, atMs: number, content = 'x'): void => {
    writeFileSync(join(path, name), content);
    utimesSync(join(path, name), atMs / 1_000, atMs / 1_000);
  };
  const survey = (
    entries: readonly object[],
    paces: readonly Pace[] = ['fast', 'hourly'],
    runner: CommandRunner = commands,
  ): Promise<Survey> => {
    const source = createBackupsSource('backups', backupsConfigSchema.parse(entries), deps, runner);
    return surveySource({ source, request: surveyRequest({ paces }), timeoutMs: 30_000 }, deps);
  };
  const dump = (more: object = {}): object => ({ name: 'dump', type: 'directory', path, ...more });
  const readingOf = async (...entries: readonly object[]): Promise<BackupReading> => {
    const [reading] = (await survey(entries)).readings;
    if (reading?.kind !== 'backup') throw new Error('no reading');
    return reading;
  };

  it('tells the newest archive, and nothing that nobody told it', async () => {
    archive('a.tar', NOON_MS - 10 * HOUR_MS);
    const seen = await survey([dump()]);
    expect(seen).toMatchObject({ outcome: 'ok', gaps: [], listed: [] });
    expect(seen.readings).toEqual([
      {
        ref: 'host',
        takenAtMs: NOON_MS,
        kind: 'backup',
        target: 'dump',
        job: null,
        newestGoodAtMs: NOON_MS - 10 * HOUR_MS,
        lastRun: null,
        running: false,
        schedule: null,
        coveredByJob: null,
        resourceSinceMs: NOON_MS - 10 * HOUR_MS,
      },
    ]);
  });

  it('claims this machine by its machine-id, and each named resource once', async () => {
    const { claims, readings } = await survey([
      dump(),
      dump({ name: 'other' }),
      dump({ name: 'nas-1', resource: 'home/vm/104' }),
      dump({ name: 'nas-2', resource: 'home/vm/104' }),
    ]);
    expect(claims).toMatchObject([
      {
        ref: 'host',
        kind: 'host',
        refersTo: null,
        keys: [{ key: `machine-id:${deps.localMachineId}`, strength: 'proof' }],
        expects: ['backup'],
      },
      { ref: 'resource:home/vm/104', refersTo: 'home/vm/104', status: 'unknown', expects: ['backup'] },
    ]);
    expect(claims).toHaveLength(2);
    expect(readings.map(({ ref }) => ref)).toEqual(['host', 'host', 'resource:home/vm/104', 'resource:home/vm/104']);
  });

  it('lists archives once an hour, not in every watch', async () => {
    const seen = await survey([dump()], ['fast']);
    expect(seen).toMatchObject({
      outcome: 'ok',
      readings: [],
      gaps: [{ ref: 'host', reads: ['backup'], code: 'not_due' }],
    });
    expect(seen.claims).toHaveLength(1);
  });

  it('tells a good run of the unit, its timer and when the next is due', async () => {
    archive('a.tar', NOON_MS - 10 * HOUR_MS + 1_000);
    units = {
      'dump.service': service({ startMs: NOON_MS - 10 * HOUR_MS, endMs: NOON_MS - 9 * HOUR_MS }),
      'dump.timer': timer(),
    };
    expect(await readingOf(dump({ unit: 'dump' }))).toMatchObject({
      job: 'dump.service',
      lastRun: {
        startedAtMs: NOON_MS - 10 * HOUR_MS,
        endedAtMs: NOON_MS - 9 * HOUR_MS,
        outcome: 'ok',
        leftArchive: true,
        reason: null,
      },
      running: false,
      coveredByJob: true,
      schedule: {
        description: '*-*-* 02:00:00 UTC (dump.timer)',
        dueAtMs: [NOON_MS + 14 * HOUR_MS, NOON_MS + 38 * HOUR_MS],
        usualDurationMs: HOUR_MS,
      },
    });
  });

  it('tells a failed run, which has left no archive, and keeps the due time that was missed', async () => {
    archive('a.tar', NOON_MS - 58 * HOUR_MS + 1_000);
    units = {
      'dump.service': service({
        startMs: NOON_MS - 10 * HOUR_MS,
        endMs: NOON_MS - 9 * HOUR_MS,
        result: 'exit-code',
        status: 1,
      }),
      'dump.timer': timer(),
    };
    expect(await readingOf(dump({ unit: 'dump.service' }))).toMatchObject({
      newestGoodAtMs: NOON_MS - 58 * HOUR_MS + 1_000,
      lastRun: { outcome: 'failed', leftArchive: false, reason: 'dump.service ended with status 1' },
      schedule: { dueAtMs: [NOON_MS - 34 * HOUR_MS, NOON_MS - 10 * HOUR_MS] },
    });
  });

  it('remembers the last run while the next one goes on, and over a boot', async () => {
    archive('a.tar', NOON_MS - 34 * HOUR_MS);
    units = {
      'dump.service': service({ startMs: NOON_MS - 10 * HOUR_MS, endMs: NOON_MS - 9 * HOUR_MS, result: 'timeout' }),
      'dump.timer': timer(),
    };
    const entry = dump({ unit: 'dump' });
    expect((await readingOf(entry)).lastRun).toMatchObject({ outcome: 'failed' });
    units = { 'dump.service': service({ startMs: NOON_MS - 1_000 }), 'dump.timer': timer() };
    expect(await readingOf(entry)).toMatchObject({
      running: true,
      lastRun: { outcome: 'failed', endedAtMs: NOON_MS - 9 * HOUR_MS },
    });
    units = {
      'dump.service': service({ startMs: 0, endMs: 0 }).replaceAll(/Timestamp=.*/g, 'Timestamp='),
      'dump.timer': timer(),
    };
    expect(await readingOf(entry)).toMatchObject({ running: false, lastRun: { outcome: 'failed' } });
    units = { 'dump.service': service({ startMs: NOON_MS - 60_000, endMs: NOON_MS - 1_000 }), 'dump.timer': timer() };
    archive('b.tar', NOON_MS - 30_000);
    await clock.advance(HOUR_MS);
    expect((await readingOf(entry)).lastRun).toMatchObject({ outcome: 'ok', leftArchive: true });
  });

  it('says that a timer is off, and takes no schedule from it', async () => {
    archive('a.tar', NOON_MS - 10 * HOUR_MS);
    units = {
      'dump.service': service({ startMs: NOON_MS - 10 * HOUR_MS, endMs: NOON_MS - 9 * HOUR_MS }),
      'dump.timer': timer('inactive'),
    };
    expect(await readingOf(dump({ unit: 'dump' }))).toMatchObject({ coveredByJob: false, schedule: null });
    units = { 'dump.service': units['dump.service'] ?? '' };
    expect(await readingOf(dump({ unit: 'dump', every: '24h' }))).toMatchObject({
      coveredByJob: null,
      schedule: { description: 'every 1 d', dueAtMs: [NOON_MS + 14 * HOUR_MS, NOON_MS + 38 * HOUR_MS] },
    });
  });

  it('reckons from when it came to be known where there has never been a backup', async () => {
    const entry = dump({ every: '24h' });
    await readingOf(entry);
    await clock.advance(30 * HOUR_MS);
    expect(await readingOf(entry)).toMatchObject({
      newestGoodAtMs: null,
      resourceSinceMs: NOON_MS,
      schedule: { dueAtMs: [NOON_MS + DAY_MS, NOON_MS + 2 * DAY_MS] },
    });
  });

  it('keeps reading the archives where systemd can not be asked, and says so', async () => {
    archive('a.tar', NOON_MS - 10 * HOUR_MS);
    const seen = await survey([dump({ unit: 'typo' })]);
    expect(seen).toMatchObject({
      outcome: 'partial',
      reason: expect.stringContaining('systemd has no unit typo.service'),
    });
    expect(seen.readings).toMatchObject([
      { newestGoodAtMs: NOON_MS - 10 * HOUR_MS, job: 'typo.service', lastRun: null, coveredByJob: null },
    ]);
    const offline: CommandRunner = {
      run: async (request) =>
        request.file === 'systemctl'
          ? {
              kind: 'exited',
              code: 1,
              stdout: '',
              stderr: "System has not been booted with systemd as init system (PID 1). Can't operate.\n",
            }
          : commands.run(request),
    };
    expect((await survey([dump({ unit: 'dump' })], ['hourly'], offline)).gaps).toMatchObject([
      { code: 'not_supported' },
    ]);
  });

  it('does not believe at once that all archives are gone', async () => {
    archive('a.tar', NOON_MS - 10 * HOUR_MS);
    await survey([dump()]);
    rmSync(join(path, 'a.tar'));
    const first = await survey([dump()]);
    expect(first).toMatchObject({
      outcome: 'partial',
      readings: [],
      gaps: [{ code: 'empty', reason: expect.stringContaining('mounted') }],
    });
    const second = await survey([dump()]);
    expect(second).toMatchObject({ outcome: 'ok', readings: [{ newestGoodAtMs: null }] });
    archive('b.tar', NOON_MS - HOUR_MS);
    await survey([dump()]);
    rmSync(join(path, 'b.tar'));
    expect((await survey([dump()])).gaps).toMatchObject([{ code: 'empty' }]);
  });

  it('lets one that can not be read stop none of the others', async () => {
    archive('a.tar', NOON_MS - 10 * HOUR_MS);
    const seen = await survey([dump({ name: 'gone', path: join(path, 'nowhere') }), dump()]);
    expect(seen).toMatchObject({
      outcome: 'partial',
      reason: expect.stringContaining('backup gone: there is no directory'),
      readings: [{ target: 'dump' }],
      gaps: [{ ref: 'host', reads: ['backup'], code: 'unreachable' }],
    });
  });

  it('tells an empty archive for a failed run where no unit says more', async () => {
    archive('a.tar', NOON_MS - 34 * HOUR_MS);
    archive('b.tar', NOON_MS - 10 * HOUR_MS, '');
    expect((await readingOf(dump())).lastRun).toEqual({
      startedAtMs: null,
      endedAtMs: NOON_MS - 10 * HOUR_MS,
      outcome: 'failed',
      leftArchive: false,
      reason: 'b.tar is empty',
    });
  });

  it('survives a memory that was written by something else, and a clock that was put back', async () => {
    deps.state.set('backup:dump', { sinceMs: 'long ago' });
    expect((await readingOf(dump())).resourceSinceMs).toBe(NOON_MS);
    clock.setWallClock(NOON_MS - DAY_MS);
    expect((await readingOf(dump())).resourceSinceMs).toBe(NOON_MS - DAY_MS);
  });

  it('says in one sentence what can be read, or which can not', async () => {
    archive('a.tar', NOON_MS - 10 * HOUR_MS);
    const source = (...entries: readonly object[]) =>
      backupsSource.create('backups', backupsConfigSchema.parse(entries), deps);
    const signal = AbortSignal.timeout(10_000);
    expect(await source(dump()).probe(signal)).toBe('1 backups can be read, with 1 archives');
    await expect(source(dump({ path: '/nonexistent' })).probe(signal)).rejects.toMatchObject({
      code: 'source_not_answering',
      message: expect.stringContaining('backup dump: there is no directory /nonexistent'),
    });
  });
});
