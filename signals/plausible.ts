/** Whether a reading can be true at all: nonsense is no evidence, neither of a fault nor of health. */
import type { Averaged, BackupReading, Reading, SmartReading } from './reading.ts';

/** Null: it can be. NaN fails every comparison, so each test is put as what must hold. */
export const implausible = (reading: Reading): string | null => {
  if (!Number.isFinite(reading.takenAtMs)) return 'the reading has no time';
  switch (reading.kind) {
    case 'cpu':
      return reading.busyRatio >= 0 && reading.busyRatio < Infinity && averaged(reading)
        ? null
        : 'the CPU figures are no shares of time';
    case 'memory':
      return reading.totalBytes > 0 &&
        reading.unavailableBytes >= 0 &&
        reading.unavailableBytes <= reading.totalBytes &&
        averaged(reading)
        ? null
        : 'the memory figures do not add up';
    case 'filesystem':
      return space(reading) && inodes(reading.inodesTotal, reading.inodesFree)
        ? null
        : 'the space figures do not add up';
    case 'capacity':
      return space(reading) ? null : 'the space figures do not add up';
    case 'thin_pool':
      return ratio(reading.dataUsedRatio) && (reading.metadataUsedRatio === null || ratio(reading.metadataUsedRatio))
        ? null
        : 'the thin pool figures are no shares';
    case 'temperature':
      // Sensors that are not connected show their end of scale: -128, 0 K, 255.
      return reading.celsius > -100 && reading.celsius < 200 && averaged(reading)
        ? null
        : `no sensor reads ${reading.celsius} °C`;
    case 'array':
      return reading.requiredDevices >= 0 && reading.activeDevices >= 0 ? null : 'the device counts are no counts';
    case 'memory_errors':
      return reading.correctable >= 0 && reading.uncorrectable >= 0 ? null : 'the error counts are no counts';
    case 'oom_kills':
      return reading.count >= 0 ? null : 'the count of kills is no count';
    case 'clock':
      return finiteOrNull(reading.offsetMs) && finiteOrNull(reading.estimatedErrorMs)
        ? null
        : 'the clock figures are no numbers';
    case 'container_memory':
      return reading.workingSetBytes >= 0 && (reading.limitBytes === null || reading.limitBytes > 0)
        ? null
        : 'the memory figures do not add up';
    case 'boot':
      return Number.isFinite(reading.bootedAtMs) ? null : 'the boot has no time';
    case 'certificate':
      return Number.isFinite(reading.notAfterMs) ? null : 'the certificate has no end';
    case 'smart':
      return smart(reading) ? null : 'the SMART figures are no numbers';
    case 'container':
      return reading.restartCount >= 0 && Number.isFinite(reading.createdAtMs) ? null : 'its restarts are no count';
    case 'backup':
      return backup(reading) ? null : 'the times of the backup are no times';
    case 'zfs_pool':
    case 'unit':
    case 'bond':
    case 'probe':
    case 'target':
    case 'survey':
      return null;
  }
};

const averaged = ({ windowMs, observedRatio }: Averaged): boolean => windowMs >= 0 && observedRatio >= 0;

/** Rounding, and growth between two readings of the same statistics, may take a share a hair past 1. */
const ratio = (value: number): boolean => value >= 0 && value <= 1.05;

const finiteOrNull = (value: number | null): boolean => value === null || Number.isFinite(value);

const backup = ({ newestGoodAtMs, resourceSinceMs, schedule }: BackupReading): boolean =>
  finiteOrNull(newestGoodAtMs) &&
  finiteOrNull(resourceSinceMs) &&
  (schedule === null || schedule.dueAtMs.every(Number.isFinite));

const space = ({
  sizeBytes,
  usedBytes,
  availableBytes,
}: {
  sizeBytes: number;
  usedBytes: number;
  availableBytes: number;
}): boolean =>
  sizeBytes > 0 &&
  sizeBytes < Infinity &&
  usedBytes >= 0 &&
  usedBytes < Infinity &&
  availableBytes >= 0 &&
  availableBytes < Infinity;

const inodes = (total: number | null, free: number | null): boolean =>
  total === null || free === null || (total >= 0 && free >= 0 && free <= total);

const smart = ({ nvme, scsi, wearUsedPercent, attributes }: SmartReading): boolean =>
  (nvme === null || Object.values(nvme).every(Number.isFinite)) &&
  (scsi === null || (finiteOrNull(scsi.grownDefects) && finiteOrNull(scsi.uncorrectedErrors))) &&
  finiteOrNull(wearUsedPercent) &&
  attributes.every(({ count }) => Number.isFinite(count));
