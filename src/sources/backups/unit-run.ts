/** The last run of a systemd unit that makes a backup. Pure. */
import type { UnitProperties } from './show-output.ts';

export const SERVICE_PROPERTIES = [
  'LoadState',
  'ActiveState',
  'SubState',
  'Result',
  'ExecMainStatus',
  'ExecMainStartTimestamp',
  'ExecMainExitTimestamp',
  'InactiveExitTimestamp',
  'InactiveEnterTimestamp',
  'TriggeredBy',
] as const;

export interface UnitRun {
  readonly startedAtMs: number | null;
  readonly endedAtMs: number;
  /** systemd's `Result`: `success`, `exit-code`, `timeout`, `oom-kill`, … */
  readonly result: string;
  /** Of the main process; meaningless where it was not reached. */
  readonly exitStatus: number;
}

export interface UnitRuns {
  readonly running: boolean;
  /** Null: none since boot that systemd remembers, or one is running, which makes it forget the one before. */
  readonly lastRun: UnitRun | null;
}

/** Between two tries of a failed unit (`Restart=`) it is activating without anything running. */
const isWaiting = (subState: string): boolean => subState === 'auto-restart' || subState === 'auto-restart-queued';

const isRunning = (active: string, sub: string): boolean => {
  if (active === 'activating') return !isWaiting(sub);
  // A oneshot with RemainAfterExit stays active when it is done.
  return active === 'deactivating' || active === 'reloading' || (active === 'active' && sub !== 'exited');
};

export const readUnitRuns = (unit: UnitProperties): UnitRuns => {
  const active = unit.get('ActiveState');
  const sub = unit.get('SubState');
  if (isRunning(active, sub)) return { running: true, lastRun: null };
  // From leaving the inactive state to coming back: what runs before and after the main process is part of it.
  const rested = active === 'inactive' || active === 'failed';
  const startedAtMs = unit.atMs('InactiveExitTimestamp') ?? unit.atMs('ExecMainStartTimestamp');
  const endedAtMs = (rested ? unit.atMs('InactiveEnterTimestamp') : null) ?? unit.atMs('ExecMainExitTimestamp');
  if (endedAtMs === null) return { running: false, lastRun: null };
  return {
    running: false,
    lastRun: {
      startedAtMs: startedAtMs !== null && startedAtMs <= endedAtMs ? startedAtMs : null,
      endedAtMs,
      result: unit.get('Result') || 'unknown',
      exitStatus: Number(unit.get('ExecMainStatus')) || 0,
    },
  };
};
