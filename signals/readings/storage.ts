/** Readings of space and of what it is on: filesystems, pools, arrays. */

/** Space and inodes of one mounted filesystem, as its service users see it. */
export interface FilesystemReading {
  readonly kind: 'filesystem';
  readonly sizeBytes: number;
  readonly usedBytes: number;
  /** Available to unprivileged users: the reserved share is not in it. */
  readonly availableBytes: number;
  /** Null where the filesystem has no fixed number of inodes. */
  readonly inodesTotal: number | null;
  readonly inodesFree: number | null;
  /** By the superblock's options, not the mount's. Null: the source can't tell. */
  readonly superblockReadOnly: boolean | null;
}

/** Space of something that is not a mounted filesystem: storage, pool, datastore. */
export interface CapacityReading {
  readonly kind: 'capacity';
  readonly sizeBytes: number;
  readonly usedBytes: number;
  readonly availableBytes: number;
}

/** A software, hardware or filesystem array (md, btrfs, controller). */
export interface ArrayReading {
  readonly kind: 'array';
  readonly level: string;
  readonly requiredDevices: number;
  readonly activeDevices: number;
  readonly failedMembers: readonly string[];
  readonly rebuild: ArrayRebuild | null;
}

export interface ArrayRebuild {
  readonly action: 'recovery' | 'resync' | 'reshape' | 'check' | 'repair';
  readonly doneRatio: number;
}

export type ZfsState = 'ONLINE' | 'DEGRADED' | 'FAULTED' | 'OFFLINE' | 'REMOVED' | 'UNAVAIL' | 'SUSPENDED';

/** Health of one ZFS pool with its members. */
export interface ZfsPoolReading {
  readonly kind: 'zfs_pool';
  readonly state: ZfsState;
  /** Whether every vdev can still lose a device. Null: can't tell from what was read. */
  readonly redundancyLeft: boolean | null;
  readonly dataErrors: number | null;
  readonly members: readonly ZfsMember[];
  readonly scan: ZfsScan | null;
  readonly createdAtMs: number | null;
}

export interface ZfsMember {
  readonly name: string;
  readonly state: ZfsState | 'AVAIL' | 'INUSE';
  readonly readErrors: number;
  readonly writeErrors: number;
  readonly checksumErrors: number;
}

export interface ZfsScan {
  readonly kind: 'scrub' | 'resilver';
  readonly state: 'running' | 'finished' | 'canceled';
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
}

/** An LVM thin pool: full data or full metadata stops every volume on it. */
export interface ThinPoolReading {
  readonly kind: 'thin_pool';
  readonly dataUsedRatio: number;
  readonly metadataUsedRatio: number | null;
}
