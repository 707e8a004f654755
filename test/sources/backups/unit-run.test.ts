import { describe, expect, it } from 'vitest';
import { parseShow } from '../../../src/sources/backups/show-output.ts';
import { readUnitRuns } from '../../../src/sources/backups/unit-run.ts';

const unit = (more: Readonly<Record<string, string>>) =>
  readUnitRuns(
    parseShow(
      Object.entries({
        LoadState: 'loaded',
        ActiveState: 'inactive',
        SubState: 'dead',
        Result: 'success',
        ExecMainStatus: '0',
        ExecMainStartTimestamp: 'Mon 2026-06-15 02:00:01 UTC',
        ExecMainExitTimestamp: 'Mon 2026-06-15 02:10:00 UTC',
        InactiveExitTimestamp: 'Mon 2026-06-15 02:00:00 UTC',
        InactiveEnterTimestamp: 'Mon 2026-06-15 02:10:02 UTC',
        ...more,
      })
        .map(([name, value]) => `${name}=${value}`)
        .join('\n'),
    ),
  );
const at = (time: string): number => Date.parse(`2026-06-15T${time}Z`);

describe('readUnitRuns', () => {
  it('takes the run from leaving rest to coming back to it', () => {
    expect(unit({})).toEqual({
      running: false,
      lastRun: { startedAtMs: at('02:00:00'), endedAtMs: at('02:10:02'), result: 'success', exitStatus: 0 },
    });
  });

  it('tells how a failed run ended', () => {
    expect(
      unit({ ActiveState: 'failed', SubState: 'failed', Result: 'exit-code', ExecMainStatus: '1' }).lastRun,
    ).toMatchObject({
      result: 'exit-code',
      exitStatus: 1,
      endedAtMs: at('02:10:02'),
    });
  });

  it('knows a run whose main process never started', () => {
    const before = { ExecMainStartTimestamp: '', ExecMainExitTimestamp: '' };
    expect(unit({ ...before, ActiveState: 'failed', SubState: 'failed', Result: 'exit-code' }).lastRun).toMatchObject({
      startedAtMs: at('02:00:00'),
      endedAtMs: at('02:10:02'),
    });
  });

  it('knows no run of a unit that has not run since the machine started', () => {
    const never = {
      ExecMainStartTimestamp: '',
      ExecMainExitTimestamp: '',
      InactiveExitTimestamp: '',
      InactiveEnterTimestamp: '',
    };
    expect(unit(never)).toEqual({ running: false, lastRun: null });
  });

  it.each([
    ['activating', 'start', true],
    ['active', 'running', true],
    ['deactivating', 'stop-sigterm', true],
    ['active', 'exited', false],
    ['activating', 'auto-restart', false],
    ['inactive', 'dead', false],
    ['failed', 'failed', false],
  ])('takes %s (%s) for running: %s', (ActiveState, SubState, running) => {
    const runs = unit({ ActiveState, SubState });
    expect(runs.running).toBe(running);
    expect(runs.lastRun === null).toBe(running);
  });

  it('takes the main process for the run where the unit stays active after it', () => {
    const runs = unit({
      ActiveState: 'active',
      SubState: 'exited',
      InactiveEnterTimestamp: 'Sun 2026-06-14 01:00:00 UTC',
    });
    expect(runs.lastRun).toMatchObject({ startedAtMs: at('02:00:00'), endedAtMs: at('02:10:00') });
  });
});
