/** Backups: which jobs take a guest, when they are due, and what they left. */
import type { BackupReading, BackupRun, BackupSchedule } from '../../../../signals/reading.ts';
import { cleanText } from '../../../runtime/text.ts';
import { createDueTimes, type DueTimes } from '../../proxmox/calendar-event/due-times.ts';
import { isDue } from '../../proxmox/due.ts';
import { readArchives, type StorageArchives } from '../backup-archives.ts';
import { type BackupJob, readBackupJobs } from '../backup-jobs.ts';
import { type BackupRuns, type FailedRun, readBackupRuns } from '../backup-runs.ts';
import { type BackupStorage, backupStorages } from '../backup-targets.ts';
import { readBackupVolumes } from '../backup-volumes.ts';
import type { VeGuest } from '../estate.ts';
import { type GuestMemory, recallGuests } from '../guest-memory.ts';
import { nodeTimeZone } from '../node-clocks.ts';
import { isRunning } from '../tasks.ts';
import type { VeArea, VeWorld } from '../world.ts';

/** Subject of what is in no job and was never backed up. */
const NO_TARGET = 'no job';

export const backupsArea: VeArea = {
  name: 'backups',
  read: async (world) => {
    const { estate, out } = world;
    const guests = estate.guests.filter(({ isTemplate }) => !isTemplate);
    for (const { ref } of guests) out.expect(ref, 'backup');
    if (!isDue(world, 'hourly')) {
      for (const { ref } of guests) out.expect(ref, 'backup_volumes');
      const reason = 'backups are listed once an hour';
      out.gap({ ref: null, reads: ['backup', 'backup_volumes'], code: 'not_due', reason });
      return;
    }
    const evidence = await gather(world, guests);
    for (const guest of guests) readGuest(world, guest, evidence);
    await readVolumes(world, guests, evidence);
  },
};

const readVolumes = async (world: VeWorld, guests: readonly VeGuest[], { jobs, memory }: Evidence): Promise<void> => {
  const { clock, out } = world;
  if (jobs === null) return;
  for (const { ref } of guests) out.expect(ref, 'backup_volumes');
  if (!isDue(world, 'daily')) {
    const reason = 'what jobs take along is read once a day';
    out.gap({ ref: null, reads: ['backup_volumes'], code: 'not_due', reason });
    return;
  }
  const { byGuest, failure } = await readBackupVolumes(world, jobs, memory);
  for (const { ref, vmid } of guests) {
    const volumes = byGuest.get(vmid);
    if (failure === null) out.read(ref, { kind: 'backup_volumes', volumes: volumes ?? [] }, clock.nowMs());
    else out.gap({ ref, reads: ['backup_volumes'], code: failure.code, reason: failure.reason });
  }
};

interface Evidence {
  /** Null: they could not be read, so that nobody can tell what is covered. */
  readonly jobs: readonly BackupJob[] | null;
  readonly jobsFailure: string | null;
  readonly storages: ReadonlyMap<string, BackupStorage>;
  readonly archives: ReadonlyMap<string, StorageArchives>;
  readonly runs: BackupRuns;
  readonly failures: ReadonlyMap<string, FailedRun>;
  readonly due: DueTimes;
  readonly memory: GuestMemory;
}

const failureKey = (vmid: string, storage: string): string => `${vmid}\n${storage}`;

const gather = async (world: VeWorld, guests: readonly VeGuest[]): Promise<Evidence> => {
  const { ask, estate, state, storageConfigs } = world;
  const storages = backupStorages(estate.storages, storageConfigs);
  const [jobs, runs, lists] = await Promise.all([
    readBackupJobs(ask, state),
    readBackupRuns(world),
    Promise.all(
      [...storages.values()].map(async ({ id, parts }) => [id, await readArchives(world, parts, guests)] as const),
    ),
  ]);
  const failures = new Map<string, FailedRun>();
  for (const run of runs.failed) {
    const key = failureKey(run.vmid, run.storage);
    if (run.endedAtMs > (failures.get(key)?.endedAtMs ?? 0)) failures.set(key, run);
  }
  return {
    jobs: jobs.ok ? jobs.value : null,
    jobsFailure: jobs.ok ? null : jobs.failure.reason,
    storages,
    archives: new Map(lists),
    runs,
    failures,
    due: createDueTimes(),
    memory: recallGuests(state),
  };
};

const readGuest = (world: VeWorld, guest: VeGuest, evidence: Evidence): void => {
  const { clock, out } = world;
  const { jobs, jobsFailure } = evidence;
  const own = (jobs ?? []).filter((job) => job.enabled && job.takes(guest));
  if (jobsFailure !== null) out.gap({ ref: guest.ref, reads: ['backup'], code: 'failed', reason: jobsFailure });
  const unread = evidence.runs.unread.get(guest.stats.node);
  if (unread !== undefined) out.gap({ ref: guest.ref, reads: ['backup'], code: unread.code, reason: unread.reason });
  const readings =
    own.length > 0
      ? own.flatMap((job) => ofJob(world, guest, job, evidence))
      : withoutJob(world, guest, jobs === null ? null : false, evidence);
  for (const reading of readings) out.read(guest.ref, reading, clock.nowMs());
};

/** Nothing where the archives there could not be listed: an age would be a guess. */
const ofJob = (world: VeWorld, guest: VeGuest, job: BackupJob, evidence: Evidence): readonly BackupReading[] => {
  const { out } = world;
  // What is written into a bare directory is nobody's to list.
  const storage = job.storage === null ? undefined : evidence.storages.get(job.storage);
  if (storage === undefined) {
    const where =
      job.storage === null
        ? 'a directory that is no storage'
        : `${job.storage}, which holds no backups or is not shown`;
    out.gap({ ref: guest.ref, reads: ['backup'], code: 'not_supported', reason: `job ${job.id} writes to ${where}` });
    return [];
  }
  const times = archivesOf(world, guest, storage, evidence);
  if (times === null) return [];
  const newestGoodAtMs = times[0] ?? null;
  const sinceMs = bornAtMs(guest, evidence);
  return [
    {
      kind: 'backup',
      target: cleanText(storage.target, 200),
      job: cleanText(job.id, 128),
      newestGoodAtMs,
      lastRun: lastRunOf(guest, storage, times, evidence),
      running: isBackupRunning(world, guest),
      schedule: scheduleOf(world, guest, job, newestGoodAtMs ?? sinceMs ?? world.clock.nowMs(), evidence),
      coveredByJob: true,
      resourceSinceMs: sinceMs,
    },
  ];
};

/** In no enabled job: whatever archives there are, on any storage. */
const withoutJob = (
  world: VeWorld,
  guest: VeGuest,
  coveredByJob: false | null,
  evidence: Evidence,
): readonly BackupReading[] => {
  const { storages, archives } = evidence;
  const seen = [...storages.values()].flatMap((storage) => {
    const list = archives.get(storage.id);
    const times = list?.ok === true ? (list.archives.get(guest.vmid) ?? []) : [];
    return times.length === 0 ? [] : [{ storage, times }];
  });
  const base = {
    kind: 'backup' as const,
    job: null,
    running: isBackupRunning(world, guest),
    schedule: null,
    coveredByJob,
    resourceSinceMs: bornAtMs(guest, evidence),
  };
  if (seen.length === 0 && coveredByJob === null) return [];
  if (seen.length === 0) return [{ ...base, target: NO_TARGET, newestGoodAtMs: null, lastRun: null }];
  return seen.map(({ storage, times }) => ({
    ...base,
    target: cleanText(storage.target, 200),
    newestGoodAtMs: times[0] ?? null,
    lastRun: lastRunOf(guest, storage, times, evidence),
  }));
};

const archivesOf = (
  { out }: VeWorld,
  guest: VeGuest,
  { id }: BackupStorage,
  { archives }: Evidence,
): readonly number[] | null => {
  const list = archives.get(id);
  if (list?.ok === true) return list.archives.get(guest.vmid) ?? [];
  const { code, reason } = list ?? { code: 'failed' as const, reason: `${id} could not be listed` };
  out.gap({ ref: guest.ref, reads: ['backup'], code, reason });
  return null;
};

const bornAtMs = ({ vmid }: VeGuest, { memory }: Evidence): number | null => {
  const born = memory.get(vmid)?.b;
  return born === undefined ? null : Number(born) * 1000;
};

/** A run that failed, unless it left an archive after all. One that went well needs no word: its archive speaks. */
const lastRunOf = (
  { vmid }: VeGuest,
  { id }: BackupStorage,
  times: readonly number[],
  { failures }: Evidence,
): BackupRun | null => {
  const run = failures.get(failureKey(vmid, id));
  if (run === undefined) return null;
  const { startedAtMs, endedAtMs, reason } = run;
  const leftArchive = times.some((atMs) => atMs >= startedAtMs && atMs <= endedAtMs);
  return { startedAtMs, endedAtMs, outcome: 'failed', leftArchive, reason: reason === '' ? null : reason };
};

const isBackupRunning = ({ tasks }: VeWorld, { stats, vmid }: VeGuest): boolean =>
  stats.lock === 'backup' ||
  tasks.items.some((task) => task.type === 'vzdump' && isRunning(task) && task.id === vmid && task.node === stats.node);

const scheduleOf = (
  world: VeWorld,
  guest: VeGuest,
  { id, schedule }: BackupJob,
  afterMs: number,
  { due, runs }: Evidence,
): BackupSchedule | null => {
  const node = guest.stats.node;
  const timeZone = nodeTimeZone(world, { name: node }) ?? 'UTC';
  const dueAtMs = schedule === null ? null : due.after(schedule, afterMs, timeZone);
  if (schedule === null || dueAtMs === null) return null;
  return {
    description: cleanText(`job ${id}: ${schedule} (${timeZone})`, 200),
    dueAtMs,
    usualDurationMs: runs.usualDurationMs.get(node) ?? null,
  };
};
