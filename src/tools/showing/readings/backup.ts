/** Readings of backups and of what keeps them in order, as facts. */
import type { BackupReading, BackupVerificationReading, UpkeepReading } from '../../../../signals/reading.ts';
import { duration, instant } from '../figures.ts';
import { facts, listedIfAny, type ShownFacts, type Told } from '../shown-facts.ts';

type Run = NonNullable<UpkeepReading['lastRun']>;

const showRun = ({ outcome, endedAtMs, reason }: Run): Told =>
  facts({ outcome, ended: instant(endedAtMs), reason: reason ?? undefined });

export const showBackup = (backup: BackupReading): ShownFacts =>
  facts({
    target: backup.target,
    job: backup.job ?? undefined,
    newestGood: instant(backup.newestGoodAtMs) ?? 'none',
    lastRun: backup.lastRun === null ? null : showRun(backup.lastRun),
    leftArchive: backup.lastRun?.leftArchive === false ? false : undefined,
    running: backup.running || undefined,
    schedule: backup.schedule?.description ?? null,
    due: backup.schedule === null ? undefined : instant(backup.schedule.dueAtMs[0]),
    usuallyTakes: duration(backup.schedule?.usualDurationMs ?? null) ?? undefined,
    inAJob: backup.coveredByJob,
    existsSince: instant(backup.resourceSinceMs) ?? undefined,
  });

export const showVerification = (reading: BackupVerificationReading): ShownFacts =>
  facts({
    target: reading.target,
    verified: reading.verified,
    unverified: reading.unverified,
    failed: reading.failed.length,
    failedOnes: listedIfAny(reading.failed, ({ backup, atMs }) => `${backup} ${instant(atMs)}`),
  });

export const showUpkeep = (job: UpkeepReading): ShownFacts =>
  facts({
    job: job.job,
    action: job.action,
    enabled: job.enabled,
    running: job.running || undefined,
    lastRun: job.lastRun === null ? null : showRun(job.lastRun),
    due: job.dueAtMs === null ? null : instant(job.dueAtMs[0]),
  });
