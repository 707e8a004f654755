/** Looks at the configured backups, a few at a time. */
import pLimit from 'p-limit';
import type { Gap, SurveyedReading } from '../../../signals/survey.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { CommandRunner } from '../../runtime/command.ts';
import { cleanText } from '../../runtime/text.ts';
import type { Sighting, SourceState, SurveyRequest } from '../source.ts';
import { type LocalHost, refOf, toClaims } from './backup-claims.ts';
import type { BackupConfig } from './backups-config.ts';
import { readKept, writeKept } from './kept.ts';
import { lookAtBackup, type Trouble } from './look-at-backup.ts';

const BACKUPS_AT_ONCE = 4;
const MAX_REASON_LENGTH = 400;

export interface SurveyBackupsDeps {
  readonly backups: readonly BackupConfig[];
  readonly host: LocalHost;
  readonly clock: Clock;
  readonly commands: CommandRunner;
  readonly state: SourceState;
}

interface Part {
  readonly readings: readonly SurveyedReading[];
  readonly gaps: readonly Gap[];
}

/** Listing a repository takes a while, may cost money, and wakes disks: once an hour is enough. */
export const surveyBackups = async (deps: SurveyBackupsDeps, request: SurveyRequest): Promise<Sighting> => {
  const { backups, host } = deps;
  const isDue = request.paces.some((pace) => pace !== 'fast');
  const limit = pLimit(BACKUPS_AT_ONCE);
  const parts = isDue
    ? await Promise.all(backups.map((backup) => limit(() => lookAtOne(backup, deps, request.signal))))
    : backups.map(
        (backup): Part => ({
          readings: [],
          gaps: [gapOf(backup, { code: 'not_due', reason: 'its archives are listed once an hour' })],
        }),
      );
  return {
    claims: toClaims(backups, host),
    readings: parts.flatMap(({ readings }) => readings),
    series: [],
    gaps: parts.flatMap(({ gaps }) => gaps),
    listed: [],
  };
};

/** A mistake of ours in one backup must not stop the others. */
const lookAtOne = async (backup: BackupConfig, deps: SurveyBackupsDeps, signal: AbortSignal): Promise<Part> => {
  const { clock, commands, state } = deps;
  const nowMs = clock.nowMs();
  try {
    signal.throwIfAborted();
    const look = await lookAtBackup(backup, readKept(state, backup.name, nowMs), { commands, nowMs, signal });
    writeKept(state, backup.name, look.kept);
    const readings = look.reading === null ? [] : [{ ...look.reading, ref: refOf(backup), takenAtMs: nowMs }];
    return { readings, gaps: look.troubles.map((trouble) => gapOf(backup, trouble)) };
  } catch (error) {
    const reason = `it could not be looked at: ${error instanceof Error ? error.message : String(error)}`;
    return { readings: [], gaps: [gapOf(backup, { code: 'failed', reason })] };
  }
};

const gapOf = (backup: BackupConfig, { code, reason }: Trouble): Gap => ({
  ref: refOf(backup),
  reads: ['backup'],
  code,
  reason: cleanText(`backup ${backup.name}: ${reason}`, MAX_REASON_LENGTH),
});
