/** What sources measure. One union, by `kind`; units are the last word of each name; instants are epoch milliseconds. */

import type { BackupReading, BackupVerificationReading, UpkeepReading } from './readings/backup.ts';
import type { CephReading, NodeStateReading, QuorumReading, StorageStateReading } from './readings/cluster.ts';
import type { ContainerMemoryReading, ContainerReading } from './readings/container.ts';
import type {
  BackupVolumesReading,
  GuestStateReading,
  ReplicationReading,
  SnapshotsReading,
} from './readings/guest.ts';
import type {
  BondReading,
  BootReading,
  ClockReading,
  CpuReading,
  MemoryErrorsReading,
  MemoryReading,
  OomKillsReading,
  TemperatureReading,
  UnitReading,
} from './readings/host.ts';
import type { CertificateReading, ProbeReading, SurveyReading, TargetReading } from './readings/reachability.ts';
import type { SmartReading } from './readings/smart.ts';
import type {
  ArrayReading,
  CapacityReading,
  FilesystemReading,
  ThinPoolReading,
  ZfsPoolReading,
} from './readings/storage.ts';
import type { ResourceId, SourceId } from './resource.ts';

export type { Averaged } from './readings/averaged.ts';
export type {
  BackupReading,
  BackupRun,
  BackupSchedule,
  BackupVerificationReading,
  UpkeepReading,
} from './readings/backup.ts';
export type {
  CephReading,
  NodeStateReading,
  QuorumReading,
  StorageStateReading,
} from './readings/cluster.ts';
export type { ContainerMemoryReading, ContainerReading } from './readings/container.ts';
export type {
  BackupVolumesReading,
  GuestStateReading,
  ReplicationReading,
  SnapshotsReading,
} from './readings/guest.ts';
export type {
  BondReading,
  BootReading,
  ClockReading,
  CpuReading,
  MemoryErrorsReading,
  MemoryReading,
  OomKill,
  OomKillsReading,
  TemperatureReading,
  UnitReading,
} from './readings/host.ts';
export type { CertificateReading, ProbeReading, SurveyReading, TargetReading } from './readings/reachability.ts';
export type {
  NvmeHealth,
  ScsiHealth,
  SelfTest,
  SmartAttribute,
  SmartDeviceClass,
  SmartReading,
} from './readings/smart.ts';
export type {
  ArrayReading,
  ArrayRebuild,
  CapacityReading,
  FilesystemReading,
  ThinPoolReading,
  ZfsMember,
  ZfsPoolReading,
  ZfsScan,
  ZfsState,
} from './readings/storage.ts';

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
  | BackupVerificationReading
  | UpkeepReading
  | BackupVolumesReading
  | GuestStateReading
  | SnapshotsReading
  | ReplicationReading
  | QuorumReading
  | NodeStateReading
  | CephReading
  | StorageStateReading
  | SurveyReading;

export type ReadingKind = ReadingBody['kind'];
export type Reading = ReadingBody & ReadingStamp;
export type ReadingOf<K extends ReadingKind> = Extract<ReadingBody, { readonly kind: K }> & ReadingStamp;
