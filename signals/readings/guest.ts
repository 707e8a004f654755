/** Readings of guests, as their hypervisor tells them. */

/** Whether a guest runs, whether it should, and what holds it. */
export interface GuestStateReading {
  readonly kind: 'guest_state';
  /** `unknown` where the hypervisor itself does not know: its statistics have stopped. */
  readonly power: 'running' | 'stopped' | 'paused' | 'unknown';
  /** Why it is paused; null where it is not, or nobody tells. */
  readonly pausedBecause: 'io-error' | 'internal-error' | 'guest-panicked' | 'suspended' | 'other' | null;
  /** Kind of its lock, such as `backup`; null: none. */
  readonly lock: string | null;
  /** Whether a task works on it now. Null: tasks could not be seen. */
  readonly taskRunning: boolean | null;
  /** Whether it is started with its node. Null: its config could not be read. */
  readonly onBoot: boolean | null;
  /** Since when its node is up. */
  readonly nodeUpSinceMs: number | null;
  /** As the HA manager has it; null: HA does not manage it, or could not be asked. */
  readonly ha: GuestHa | null;
  /** What ended it last, as tasks tell; null: none is known. */
  readonly lastStop: GuestStop | null;
  /** From when on a stop would be known. Null: tasks could not be seen. */
  readonly stopsKnownSinceMs: number | null;
}

export interface GuestHa {
  /** Such as `started`, `error`, `fence`, `recovery`. */
  readonly state: string;
  /** Such as `started`, `stopped`, `disabled`, `ignored`; null: not told. */
  readonly requested: string | null;
}

export interface GuestStop {
  /** `backup`: a stop-mode backup, which starts it again. `operator`: stop, shutdown, suspend or the like, by whomever. */
  readonly by: 'operator' | 'backup';
  readonly atMs: number;
}

/** Snapshots of a guest, without the one that stands for its present state. */
export interface SnapshotsReading {
  readonly kind: 'snapshots';
  readonly snapshots: readonly { readonly name: string; readonly createdAtMs: number }[];
}

/** The disks of a guest that has backups, and whether a job takes them along. */
export interface BackupVolumesReading {
  readonly kind: 'backup_volumes';
  readonly volumes: readonly BackupVolume[];
}

export interface BackupVolume {
  /** As the config calls it: `scsi1`, `mp0`. */
  readonly name: string;
  readonly sizeBytes: number | null;
  /** Whether some enabled job that includes the guest takes it along. */
  readonly included: boolean;
  /** Whether the operator said that it shall stay out (`backup=0`). */
  readonly excludedOnPurpose: boolean;
}

/** One replication job of a guest. */
export interface ReplicationReading {
  readonly kind: 'replication';
  /** Its id: the subject. */
  readonly job: string;
  readonly target: string;
  readonly enabled: boolean;
  readonly running: boolean;
  readonly lastSyncAtMs: number | null;
  readonly lastTryAtMs: number | null;
  /** Failures in a row. */
  readonly failCount: number;
  readonly error: string | null;
  /** The two due times after the last sync; null: its schedule is not understood. */
  readonly dueAtMs: readonly [number, number] | null;
}
