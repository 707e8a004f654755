/** Every detector, in the order in which they are asked. */
import type { AnyDetector } from '../detector.ts';
import { backupFailed } from './backup-failed.ts';
import { backupStale } from './backup-stale.ts';
import { backupUpkeepFailed } from './backup-upkeep-failed.ts';
import { backupVerifyFailed } from './backup-verify-failed.ts';
import { backupVolumeExcluded } from './backup-volume-excluded.ts';
import { bondDegraded } from './bond-degraded.ts';
import { cephUnhealthy } from './ceph-unhealthy.ts';
import { certificateExpiring } from './certificate-expiring.ts';
import { checkFailed } from './check-failed.ts';
import { clockSkew } from './clock-skew.ts';
import { containerExited } from './container-exited.ts';
import { containerMemory } from './container-memory.ts';
import { containerRestarting } from './container-restarting.ts';
import { containerUnhealthy } from './container-unhealthy.ts';
import { diskFilling } from './disk-filling.ts';
import { filesystemReadOnly } from './filesystem-read-only.ts';
import { guestDown } from './guest-down.ts';
import { guestLocked } from './guest-locked.ts';
import { guestStalled } from './guest-stalled.ts';
import { guestUnreachable } from './guest-unreachable.ts';
import { haError } from './ha-error.ts';
import { highCpu } from './high-cpu.ts';
import { highDisk } from './high-disk.ts';
import { highMemory } from './high-memory.ts';
import { inodesLow } from './inodes-low.ts';
import { memoryErrors } from './memory-errors.ts';
import { oomKill } from './oom-kill.ts';
import { quorumLost } from './quorum-lost.ts';
import { raidDegraded } from './raid-degraded.ts';
import { replicationFailed } from './replication-failed.ts';
import { serviceFailed } from './service-failed.ts';
import { serviceRestarting } from './service-restarting.ts';
import { smartFailure } from './smart-failure.ts';
import { snapshotOld } from './snapshot-old.ts';
import { sourceUnavailable } from './source-unavailable.ts';
import { storageUnavailable } from './storage-unavailable.ts';
import { targetDown } from './target-down.ts';
import { temperatureHigh } from './temperature-high.ts';
import { thinPoolFull } from './thin-pool-full.ts';
import { unexpectedReboot } from './unexpected-reboot.ts';
import { zfsUnhealthy } from './zfs-unhealthy.ts';

export const detectors: readonly AnyDetector[] = [
  backupFailed,
  backupStale,
  backupUpkeepFailed,
  backupVerifyFailed,
  backupVolumeExcluded,
  bondDegraded,
  cephUnhealthy,
  certificateExpiring,
  checkFailed,
  clockSkew,
  containerExited,
  containerMemory,
  containerRestarting,
  containerUnhealthy,
  diskFilling,
  filesystemReadOnly,
  guestDown,
  guestLocked,
  guestStalled,
  guestUnreachable,
  haError,
  highCpu,
  highDisk,
  highMemory,
  inodesLow,
  memoryErrors,
  oomKill,
  quorumLost,
  raidDegraded,
  replicationFailed,
  serviceFailed,
  serviceRestarting,
  smartFailure,
  snapshotOld,
  sourceUnavailable,
  storageUnavailable,
  targetDown,
  temperatureHigh,
  thinPoolFull,
  unexpectedReboot,
  zfsUnhealthy,
];
