/** A backup whose newest run left nothing behind. */

import { BACKUP_KINDS } from '../backup/backup-kinds.ts';
import { byTarget, type TargetBackups } from '../backup/by-target.ts';
import { clear, type DetectorInput, defineDetector, type Judgement } from '../detector.ts';
import { formatDuration } from '../format.ts';
import type { BackupRun } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

/** A good backup that was begun after the run that failed, by whomever. */
const wasMadeGood = ({ startedAtMs, endedAtMs }: BackupRun, newestGoodAtMs: number | null): boolean =>
  newestGoodAtMs !== null && newestGoodAtMs > (startedAtMs ?? endedAtMs);

const judge = ({ nowMs }: DetectorInput<'backup', 'backupFailed'>, backups: TargetBackups): Judgement => {
  const { target, lastRun, newestGoodAtMs, running, evidence } = backups;
  if (lastRun === null || lastRun.leftArchive || wasMadeGood(lastRun, newestGoodAtMs)) return clear(target);
  const { endedAtMs, outcome, reason } = lastRun;
  const because = reason === null ? (outcome === 'failed' ? '' : `, though it ended with "${outcome}"`) : `: ${reason}`;
  const lastGood =
    newestGoodAtMs === null
      ? 'there is no good one'
      : `the last good one was begun ${formatDuration(nowMs - newestGoodAtMs)} ago`;
  return {
    state: 'raised',
    subject: target,
    severity: 'warning',
    level: null,
    summary: `the backup to ${target} that ended ${formatDuration(nowMs - endedAtMs)} ago left no finished archive${because}; ${lastGood}${running ? '; a run is under way' : ''}`,
    clearsWhen: `a later backup to ${target} succeeds`,
    evidence,
    sinceMs: Math.min(endedAtMs, nowMs),
    details: { outcome },
  };
};

export const backupFailed = defineDetector({
  type: 'backup_failed',
  title: 'Backup has failed',
  category: 'backup',
  kinds: BACKUP_KINDS,
  reads: ['backup'],
  sources: 'together',
  limits: {
    backupFailed: stateLimit({
      metric: 'backupFailed',
      kinds: BACKUP_KINDS,
      because: 'the run is over, and nothing was saved: waiting does not change it',
    }),
  },
  explain:
    'For each target (`backup_failed:<target>`): the newest finished run that included the thing left no finished archive of it. What counts is the archive: a run that ended with warnings and left one has not failed, one that says it went well and left none has. A later good backup to the same target clears it, also one made by hand; one to another target does not.',
  detect: (input: DetectorInput<'backup', 'backupFailed'>): readonly Judgement[] =>
    [...byTarget(input.readings).values()].map((backups) => judge(input, backups)),
});
