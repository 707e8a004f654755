/** Readings of backups, their runs and their schedules. */

/** Runs of one backup of one resource to one target. */
export interface BackupReading {
  readonly kind: 'backup';
  /** The target (repository, storage, datastore): the subject. */
  readonly target: string;
  readonly job: string | null;
  /** Start of the newest archive that is complete; null: there is none. */
  readonly newestGoodAtMs: number | null;
  /** The newest finished run that included the resource. */
  readonly lastRun: BackupRun | null;
  readonly running: boolean;
  /** Null: no job is known, the fallback for staleness holds. */
  readonly schedule: BackupSchedule | null;
  /** Whether some enabled job includes the resource. Null: this source can't tell. */
  readonly coveredByJob: boolean | null;
  /** When the resource came to be, as far as the source knows: never backed up counts from here. */
  readonly resourceSinceMs: number | null;
  /** Of what stores backups: it knows what there is, and not when there should be more, or whether at all. */
  readonly archivesOnly?: true;
}

export interface BackupRun {
  readonly startedAtMs: number | null;
  readonly endedAtMs: number;
  readonly outcome: 'ok' | 'warnings' | 'failed';
  /** Whether that run left a finished archive of the resource. */
  readonly leftArchive: boolean;
  readonly reason: string | null;
}

/** The job's calendar, already expanded in its own time zone by the source around now. */
export interface BackupSchedule {
  readonly description: string;
  /** The next two due times after the last good start; with no good backup, after the resource came to be. */
  readonly dueAtMs: readonly [number, number];
  readonly usualDurationMs: number | null;
}

/** Whether the backups of one thing on one target were found intact. */
export interface BackupVerificationReading {
  readonly kind: 'backup_verification';
  /** The subject. */
  readonly target: string;
  readonly failed: readonly { readonly backup: string; readonly atMs: number }[];
  readonly verified: number;
  /** Not yet verified: says nothing either way. */
  readonly unverified: number;
}

/** One job that keeps a store of backups in order. */
export interface UpkeepReading {
  readonly kind: 'upkeep';
  /** Its id, unique in the store together with the action: the subject. */
  readonly job: string;
  readonly action: 'gc' | 'prune' | 'verify' | 'sync';
  readonly enabled: boolean;
  readonly running: boolean;
  /** The newest finished run. */
  readonly lastRun: Pick<BackupRun, 'startedAtMs' | 'endedAtMs' | 'outcome' | 'reason'> | null;
  /** The two due times after the start of the last run; null: it has no schedule, or one that is not understood. */
  readonly dueAtMs: readonly [number, number] | null;
}
