/** What is known of the backups of one resource to one target, by however many jobs. */
import type { BackupRun, BackupSchedule, EvidenceId, ReadingOf } from '../reading.ts';

export interface TargetBackups {
  readonly target: string;
  readonly newestGoodAtMs: number | null;
  /** The newest finished run of any job. */
  readonly lastRun: BackupRun | null;
  readonly running: boolean;
  /** Of the job that is due first; null: none is known. */
  readonly schedule: BackupSchedule | null;
  readonly coveredByJob: boolean | null;
  readonly resourceSinceMs: number | null;
  /** No reading of it comes from whoever makes backups there: only the store itself told of them. */
  readonly archivesOnly: boolean;
  readonly evidence: readonly EvidenceId[];
}

const latest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

const earliest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

const newerRun = (a: BackupRun | null, b: BackupRun | null): BackupRun | null => {
  if (a === null || b === null) return a ?? b;
  return b.endedAtMs > a.endedAtMs ? b : a;
};

/** A backup that only another source knows of was made at, or after, times that are therefore no longer due. */
const sinceBackup = (
  schedule: BackupSchedule | null,
  { newestGoodAtMs }: Pick<TargetBackups, 'newestGoodAtMs'>,
): BackupSchedule | null => {
  if (schedule === null || newestGoodAtMs === null) return schedule;
  const [firstMs, secondMs] = schedule.dueAtMs;
  if (newestGoodAtMs < firstMs) return schedule;
  const periodMs = Math.max(1, secondMs - firstMs);
  const nextMs = firstMs + (Math.floor((newestGoodAtMs - firstMs) / periodMs) + 1) * periodMs;
  return { ...schedule, dueAtMs: [nextMs, nextMs + periodMs] };
};

const firstDue = (a: BackupSchedule | null, b: BackupSchedule | null): BackupSchedule | null => {
  if (a === null || b === null) return a ?? b;
  return b.dueAtMs[0] < a.dueAtMs[0] ? b : a;
};

/** Yes from any job is yes; no only if none says otherwise. */
const covered = (a: boolean | null, b: boolean | null): boolean | null => {
  if (a === true || b === true) return true;
  return a === false || b === false ? false : null;
};

/** In the order in which the targets first come. */
export const byTarget = (readings: readonly ReadingOf<'backup'>[]): ReadonlyMap<string, TargetBackups> => {
  const targets = new Map<string, TargetBackups>();
  for (const { id, archivesOnly = false, ...reading } of readings) {
    const known = targets.get(reading.target);
    if (known === undefined) {
      targets.set(reading.target, { ...reading, archivesOnly, evidence: [id] });
      continue;
    }
    targets.set(reading.target, {
      target: reading.target,
      newestGoodAtMs: latest(known.newestGoodAtMs, reading.newestGoodAtMs),
      lastRun: newerRun(known.lastRun, reading.lastRun),
      running: known.running || reading.running,
      schedule: firstDue(sinceBackup(known.schedule, reading), sinceBackup(reading.schedule, known)),
      coveredByJob: covered(known.coveredByJob, reading.coveredByJob),
      resourceSinceMs: earliest(known.resourceSinceMs, reading.resourceSinceMs),
      archivesOnly: known.archivesOnly && archivesOnly,
      evidence: [...known.evidence, id],
    });
  }
  return targets;
};
