/** One backup: its archives, its unit and its timer, as a reading, or why there is none. */
import type { BackupReading } from '../../../signals/reading.ts';
import type { GapCode } from '../../../signals/survey.ts';
import type { CommandRunner } from '../../runtime/command.ts';
import { type Archives, type ArchivesResult, unread } from './archives.ts';
import type { BackupConfig } from './backups-config.ts';
import { readBorg } from './borg.ts';
import { readDirectory } from './directory.ts';
import { dueTimes } from './due-times.ts';
import { type Job, type JobUnread, readJob } from './job.ts';
import { type Kept, usualDurationMs, withRun } from './kept.ts';
import { runOfBroken, runOfUnit } from './last-run.ts';
import { readRestic } from './restic.ts';

export interface Trouble {
  readonly code: GapCode;
  readonly reason: string;
}

export interface BackupLook {
  readonly reading: BackupReading | null;
  readonly troubles: readonly Trouble[];
  readonly kept: Kept;
}

export interface LookDeps {
  readonly commands: CommandRunner;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

export const lookAtBackup = async (config: BackupConfig, before: Kept, deps: LookDeps): Promise<BackupLook> => {
  const [found, job] = await Promise.all([readArchives(config, deps), readJobOf(config, deps)]);
  const kept = withRun(before, job?.kind === 'read' ? job.runs.lastRun : null);
  const { archives, wasEmptied } = doubtEmpty(found, kept);
  const troubles = [archives, job].flatMap((part) =>
    part?.kind === 'unread' ? [{ code: part.code, reason: part.reason }] : [],
  );
  if (archives.kind === 'unread') return { reading: null, troubles, kept: { ...kept, wasEmptied } };
  const now: Kept = {
    ...kept,
    wasEmptied,
    hadArchives: kept.hadArchives || archives.count > 0,
    // What was backed up was there by then: should all archives vanish, it has been without one for that long.
    sinceMs: Math.min(kept.sinceMs, archives.newestGoodAtMs ?? kept.sinceMs),
  };
  return { reading: await toReading(config, archives, job, now, deps), troubles, kept: now };
};

export const readArchives = (config: BackupConfig, { commands, nowMs, signal }: LookDeps): Promise<ArchivesResult> => {
  switch (config.type) {
    case 'restic':
      return readRestic(config, commands, nowMs, signal);
    case 'borg':
      return readBorg(config, commands, nowMs, signal);
    case 'directory':
      return readDirectory(config, commands, nowMs, signal);
  }
};

const readJobOf = async ({ unit }: BackupConfig, { commands, signal }: LookDeps): Promise<Job | JobUnread | null> =>
  unit === undefined ? null : readJob(unit, commands, signal);

/** A disk that is not mounted looks like a directory with nothing in it (DETECTORS.md rule 12). */
const doubtEmpty = (
  archives: ArchivesResult,
  { hadArchives, wasEmptied }: Kept,
): { archives: ArchivesResult; wasEmptied: boolean } => {
  if (archives.kind === 'unread') return { archives, wasEmptied };
  if (archives.count > 0 || !hadArchives) return { archives, wasEmptied: false };
  if (wasEmptied) return { archives, wasEmptied };
  const reason =
    'there are no archives where there were some before: not believed the first time; is its disk mounted?';
  return { archives: unread('empty', reason), wasEmptied: true };
};

const toReading = async (
  config: BackupConfig,
  archives: Archives,
  job: Job | JobUnread | null,
  kept: Kept,
  { commands, signal }: LookDeps,
): Promise<BackupReading> => {
  const { newestGoodAtMs } = archives;
  const known = job?.kind === 'read' ? job : null;
  const timer = known?.timer ?? null;
  const schedule = await dueTimes(
    {
      afterMs: newestGoodAtMs ?? kept.sinceMs,
      everyMs: config.every ?? null,
      timer,
      usualDurationMs: usualDurationMs(kept),
    },
    commands,
    signal,
  );
  const { unit } = config;
  return {
    kind: 'backup',
    target: config.name,
    job: unit ?? null,
    newestGoodAtMs,
    lastRun:
      unit !== undefined && kept.lastRun !== null
        ? runOfUnit(config.type, unit, kept.lastRun, archives)
        : runOfBroken(archives),
    running: archives.growing || (known?.runs.running ?? false),
    schedule,
    coveredByJob: timer === null ? null : timer.isActive,
    resourceSinceMs: kept.sinceMs,
  };
};
