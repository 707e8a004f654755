/** What sources measure. One union, by `kind`; units are the last word of each name; instants are epoch milliseconds. */
import type { ResourceId, SourceId } from './resource.ts';

/** Who measured it, of what, and when: the envelope of every reading. */
export interface ReadingStamp {
  /** Evidence id, unique within the run; findings cite it. */
  readonly id: EvidenceId;
  readonly resourceId: ResourceId;
  readonly sourceId: SourceId;
  /** By the source's clock, already corrected for a known constant offset. */
  readonly takenAtMs: number;
  /** By patrold's clock. */
  readonly receivedAtMs: number;
}

export type EvidenceId = string;

/** A window over which a use metric was averaged. `windowMs: 0` is an instant. */
export interface Averaged {
  readonly windowMs: number;
  /** Share of the window in which the source really has samples, 0..1. */
  readonly observedRatio: number;
}

/** CPU use of a host or a guest, relative to the CPUs it may use; may pass 1 for a guest. */
export interface CpuReading extends Averaged {
  readonly kind: 'cpu';
  readonly busyRatio: number;
  /** Part of the time in which a CPU idled only because of I/O; not part of `busyRatio`. */
  readonly iowaitRatio: number | null;
  /** Part of the time that the hypervisor gave to others; not part of `busyRatio`. */
  readonly stealRatio: number | null;
}

/** Memory that is truly unavailable: neither page cache, nor reclaimable slab, nor ARC above its minimum. */
export interface MemoryReading extends Averaged {
  readonly kind: 'memory';
  readonly totalBytes: number;
  readonly unavailableBytes: number;
  /** Part of an ARC that could be given back and was therefore not counted, where there is one. */
  readonly reclaimableArcBytes: number | null;
  /**
   * False where the figure includes memory that the guest may be using as cache: low use is then proof, high use is not.
   */
  readonly excludesCache: boolean;
}

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

export type SmartDeviceClass = 'ata-hdd' | 'ata-ssd' | 'nvme' | 'scsi';

/** One ATA attribute as smartctl decodes it. */
export interface SmartAttribute {
  readonly id: number;
  readonly name: string;
  /** Normalised value, its worst and its threshold; null where the drive reports none. */
  readonly value: number | null;
  readonly worst: number | null;
  readonly threshold: number | null;
  readonly prefail: boolean;
  /** The counter, unpacked: from smartctl's formatted string where that differs from the raw 48 bits. */
  readonly count: number;
  /** smartctl's own `when_failed`. */
  readonly whenFailed: 'never' | 'past' | 'now';
}

/** What one disk says of its own health. `null` is "the disk, or its bridge, doesn't say"; never "good". */
export interface SmartReading {
  readonly kind: 'smart';
  readonly deviceClass: SmartDeviceClass;
  /** The explicit overall verdict. */
  readonly healthPassed: boolean | null;
  /** Whether the attribute table (ATA), health log (NVMe) or error counters (SCSI) could be read. */
  readonly logRead: boolean;
  readonly attributes: readonly SmartAttribute[];
  readonly nvme: NvmeHealth | null;
  readonly scsi: ScsiHealth | null;
  /** Share of the rated endurance that is used up; may pass 100. */
  readonly wearUsedPercent: number | null;
  readonly powerOnHours: number | null;
  /** Newest first. */
  readonly selfTests: readonly SelfTest[];
}

export interface NvmeHealth {
  /** Bit field of the NVMe specification's SMART log, byte 0. */
  readonly criticalWarning: number;
  readonly availableSparePercent: number;
  readonly availableSpareThresholdPercent: number;
  readonly mediaErrors: number;
}

export interface ScsiHealth {
  readonly grownDefects: number | null;
  readonly uncorrectedErrors: number | null;
}

export interface SelfTest {
  readonly kind: 'short' | 'extended' | 'other';
  readonly passed: boolean | null;
  readonly atPowerOnHours: number | null;
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

/** One systemd unit. */
export interface UnitReading {
  readonly kind: 'unit';
  readonly activeState: 'active' | 'reloading' | 'inactive' | 'failed' | 'activating' | 'deactivating' | 'maintenance';
  readonly subState: string;
  /** systemd's `Result`, such as `exit-code` or `oom-kill`; null where the source doesn't tell. */
  readonly result: string | null;
  readonly stateSinceMs: number | null;
  /** Automatic restarts since the unit was loaded; null where the source doesn't tell. */
  readonly restartCount: number | null;
}

/** Kernel OOM kills on a host since `sinceMs`, as its log tells them. */
export interface OomKillsReading {
  readonly kind: 'oom_kills';
  readonly sinceMs: number;
  /** Null where only a counter is known; then `count` alone speaks. */
  readonly kills: readonly OomKill[] | null;
  readonly count: number;
}

export interface OomKill {
  readonly atMs: number;
  readonly victim: string;
  /** Cgroup path of the victim, where told; a container's kill belongs to the container. */
  readonly cgroup: string | null;
  readonly inContainer: boolean;
}

/** The current boot and how the one before it ended. */
export interface BootReading {
  readonly kind: 'boot';
  readonly bootedAtMs: number;
  /** Null where the end of the previous boot can't be read. */
  readonly previousEndedOrderly: boolean | null;
  readonly previousEndedAtMs: number | null;
}

/** EDAC error counters since boot. */
export interface MemoryErrorsReading {
  readonly kind: 'memory_errors';
  readonly correctable: number;
  readonly uncorrectable: number;
  readonly bootedAtMs: number | null;
}

/** One temperature sensor of the resource. */
export interface TemperatureReading extends Averaged {
  readonly kind: 'temperature';
  readonly sensor: string;
  readonly celsius: number;
  /** The device's own trip points; null where it names none. */
  readonly warnCelsius: number | null;
  readonly criticalCelsius: number | null;
  readonly deviceClass: 'hdd' | 'sata-ssd' | 'nvme' | 'cpu' | 'other';
}

/** How far the host's clock is off. */
export interface ClockReading {
  readonly kind: 'clock';
  /** Null where the source tells no synchronisation state. */
  readonly synchronised: boolean | null;
  readonly offsetMs: number | null;
  readonly estimatedErrorMs: number | null;
  /** The steps in which the source tells time: 1000 where it tells whole seconds. */
  readonly resolutionMs: number;
}

/** One network bond of a host. */
export interface BondReading {
  readonly kind: 'bond';
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly up: boolean }[];
}

/** State of one container as its engine tells it. */
export interface ContainerReading {
  readonly kind: 'container';
  /** The engine's id of this very container: a recreated one has another. */
  readonly instanceId: string;
  readonly state: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';
  /** `none` where no health check is defined. */
  readonly health: 'none' | 'starting' | 'healthy' | 'unhealthy';
  /** When the present unhealthy streak began, where the engine's log tells. */
  readonly unhealthySinceMs: number | null;
  readonly lastProbeOutput: string | null;
  readonly exitCode: number | null;
  readonly startError: string | null;
  readonly oomKilled: boolean;
  readonly restartCount: number;
  readonly restartPolicy: 'no' | 'always' | 'unless-stopped' | 'on-failure';
  /** Retries that `on-failure` allows; 0 is unlimited. */
  readonly maxRetries: number;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  /** The last stop or kill that somebody asked for, as events tell it; null where none is known. */
  readonly stopRequestedAtMs: number | null;
  /**
   * From when on such a request would be known. Null or absent: nothing is known. An end before it, without a known
   * request, may still have been asked for.
   */
  readonly stopsKnownSinceMs?: number | null;
}

/** Memory of a container against its own limit. */
export interface ContainerMemoryReading extends Averaged {
  readonly kind: 'container_memory';
  readonly workingSetBytes: number;
  /** Null: no limit was set. */
  readonly limitBytes: number | null;
}

/** One probe of a configured check, or of an exporter's. Probes of one resource are weighed together. */
export interface ProbeReading {
  readonly kind: 'probe';
  /** The check's name: the subject where a resource has several. */
  readonly check: string;
  readonly probe: 'http' | 'tcp' | 'icmp' | 'agent' | 'other';
  readonly answered: boolean;
  /** Why not, or what was wrong with the answer. */
  readonly reason: string | null;
  readonly latencyMs: number | null;
}

/** A certificate that was really served. */
export interface CertificateReading {
  readonly kind: 'certificate';
  readonly subject: string;
  readonly notBeforeMs: number | null;
  readonly notAfterMs: number;
  /** Why a client refuses it apart from its dates; null: it is accepted, or was pinned by the operator. */
  readonly invalidReason: string | null;
  /** Proxmox's own certificates renew themselves 14 days before their end. */
  readonly renewsItself: boolean;
}

/** One scrape target of a Prometheus. */
export interface TargetReading {
  readonly kind: 'target';
  readonly job: string;
  readonly instance: string;
  readonly up: boolean;
  /** Since when it has been down without a break, where history tells. */
  readonly downSinceMs: number | null;
  readonly lastError: string | null;
}

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

/** What became of one survey of one source; patrold's own reading about the source. */
export interface SurveyReading {
  readonly kind: 'survey';
  readonly outcome: 'ok' | 'partial' | 'failed';
  readonly reason: string | null;
}

export type ReadingBody =
  | CpuReading
  | MemoryReading
  | FilesystemReading
  | CapacityReading
  | SmartReading
  | ArrayReading
  | ZfsPoolReading
  | ThinPoolReading
  | UnitReading
  | OomKillsReading
  | BootReading
  | MemoryErrorsReading
  | TemperatureReading
  | ClockReading
  | BondReading
  | ContainerReading
  | ContainerMemoryReading
  | ProbeReading
  | CertificateReading
  | TargetReading
  | BackupReading
  | SurveyReading;

export type ReadingKind = ReadingBody['kind'];
export type Reading = ReadingBody & ReadingStamp;
export type ReadingOf<K extends ReadingKind> = Extract<ReadingBody, { readonly kind: K }> & ReadingStamp;
