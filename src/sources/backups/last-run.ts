/** The newest finished run of a backup, from what its unit says and what it left. Pure. */
import type { BackupRun } from '../../../signals/reading.ts';
import type { Archives } from './archives.ts';
import type { UnitRun } from './unit-run.ts';

/** The archive's own start may be told by another machine's clock. */
const CLOCK_TOLERANCE_MS = 300_000;

/** restic: 3, some files could not be read (restic.net, scripting); Borg: 1, and 100 to 127, warnings. */
const isWarning = (type: string, status: number): boolean =>
  type === 'restic' ? status === 3 : type === 'borg' && (status === 1 || (status >= 100 && status <= 127));

const RESULTS: Readonly<Record<string, string>> = {
  'exit-code': 'ended with status',
  signal: 'was ended by a signal',
  'core-dump': 'crashed',
  timeout: 'took longer than its unit allows',
  'oom-kill': 'was killed because memory ran out',
  watchdog: 'was ended by its watchdog',
  'start-limit-hit': 'was started too often',
  resources: 'could not be started',
};

const describe = (unit: string, { result, exitStatus }: UnitRun): string => {
  const words = RESULTS[result] ?? `failed (${result})`;
  return `${unit} ${words}${result === 'exit-code' ? ` ${exitStatus}` : ''}`;
};

/** Of a unit. A later good archive counts as this run's: whoever made it, the backup is there. */
export const runOfUnit = (type: string, unit: string, run: UnitRun, { newestGoodAtMs }: Archives): BackupRun => {
  const { startedAtMs, endedAtMs, result, exitStatus } = run;
  const isGood = result === 'success';
  const leftArchive =
    newestGoodAtMs !== null && (startedAtMs === null ? isGood : newestGoodAtMs >= startedAtMs - CLOCK_TOLERANCE_MS);
  const warned = !isGood && leftArchive && result === 'exit-code' && isWarning(type, exitStatus);
  const outcome = isGood ? 'ok' : warned ? 'warnings' : 'failed';
  return { startedAtMs, endedAtMs, outcome, leftArchive, reason: isGood ? null : describe(unit, run) };
};

/** Without a unit: an archive with nothing in it is what a run that failed has left. */
export const runOfBroken = ({ broken }: Archives): BackupRun | null =>
  broken === null
    ? null
    : { startedAtMs: null, endedAtMs: broken.atMs, outcome: 'failed', leftArchive: false, reason: broken.reason };
