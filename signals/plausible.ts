/** Whether a reading can be true at all: nonsense is no evidence, neither of a fault nor of health. */
import type { Averaged, BackupReading, Reading, ReadingKind, ReadingOf, SmartReading } from './reading.ts';

type Test<K extends ReadingKind> = (reading: ReadingOf<K>) => string | null;

/** What `holds` says; NaN fails every comparison, so each test is put as what must hold. */
const must = (holds: boolean, otherwise: string): string | null => (holds ? null : otherwise);

const always = (): null => null;

const SPACE = 'the space figures do not add up';
const MEMORY = 'the memory figures do not add up';

const TESTS: { readonly [K in ReadingKind]: Test<K> } = {
  cpu: (reading) =>
    must(
      reading.busyRatio >= 0 && reading.busyRatio < Infinity && averaged(reading),
      'the CPU figures are no shares of time',
    ),
  memory: (reading) =>
    must(
      reading.totalBytes > 0 &&
        reading.unavailableBytes >= 0 &&
        reading.unavailableBytes <= reading.totalBytes &&
        averaged(reading),
      MEMORY,
    ),
  filesystem: (reading) => must(space(reading) && inodes(reading.inodesTotal, reading.inodesFree), SPACE),
  capacity: (reading) => must(space(reading), SPACE),
  thin_pool: ({ dataUsedRatio, metadataUsedRatio }) =>
    must(
      ratio(dataUsedRatio) && (metadataUsedRatio === null || ratio(metadataUsedRatio)),
      'the thin pool figures are no shares',
    ),
  temperature: (reading) =>
    // Sensors that are not connected show their end of scale: -128, 0 K, 255.
    must(reading.celsius > -100 && reading.celsius < 200 && averaged(reading), `no sensor reads ${reading.celsius} °C`),
  array: (reading) =>
    must(reading.requiredDevices >= 0 && reading.activeDevices >= 0, 'the device counts are no counts'),
  memory_errors: (reading) =>
    must(reading.correctable >= 0 && reading.uncorrectable >= 0, 'the error counts are no counts'),
  oom_kills: ({ count }) => must(count >= 0, 'the count of kills is no count'),
  clock: (reading) =>
    must(finiteOrNull(reading.offsetMs) && finiteOrNull(reading.estimatedErrorMs), 'the clock figures are no numbers'),
  container_memory: ({ workingSetBytes, limitBytes }) =>
    must(workingSetBytes >= 0 && (limitBytes === null || limitBytes > 0), MEMORY),
  boot: ({ bootedAtMs }) => must(Number.isFinite(bootedAtMs), 'the boot has no time'),
  certificate: ({ notAfterMs }) => must(Number.isFinite(notAfterMs), 'the certificate has no end'),
  smart: (reading) => must(smart(reading), 'the SMART figures are no numbers'),
  container: (reading) =>
    must(reading.restartCount >= 0 && Number.isFinite(reading.createdAtMs), 'its restarts are no count'),
  backup: (reading) => must(backup(reading), 'the times of the backup are no times'),
  backup_verification: ({ verified, unverified }) =>
    must(verified >= 0 && unverified >= 0, 'the counts of backups are no counts'),
  upkeep: ({ dueAtMs, lastRun }) =>
    must(due(dueAtMs) && (lastRun === null || Number.isFinite(lastRun.endedAtMs)), 'the times of the job are no times'),
  snapshots: ({ snapshots }) =>
    must(
      snapshots.every(({ createdAtMs }) => Number.isFinite(createdAtMs)),
      'a snapshot has no time',
    ),
  replication: ({ dueAtMs, failCount }) =>
    must(due(dueAtMs) && failCount >= 0, 'the times of the replication are no times'),
  zfs_pool: always,
  unit: always,
  bond: always,
  probe: always,
  target: always,
  survey: always,
  guest_state: always,
  backup_volumes: always,
  quorum: always,
  node_state: always,
  ceph: always,
  storage_state: always,
};

/** Null: it can be. */
export const implausible = (reading: Reading): string | null => {
  if (!Number.isFinite(reading.takenAtMs)) return 'the reading has no time';
  // Sound because the test is looked up by the kind of the reading.
  return (TESTS[reading.kind] as (reading: Reading) => string | null)(reading);
};

const averaged = ({ windowMs, observedRatio }: Averaged): boolean => windowMs >= 0 && observedRatio >= 0;

/** Rounding, and growth between two readings of the same statistics, may take a share a hair past 1. */
const ratio = (value: number): boolean => value >= 0 && value <= 1.05;

const finiteOrNull = (value: number | null): boolean => value === null || Number.isFinite(value);

const due = (dueAtMs: readonly number[] | null): boolean => dueAtMs === null || dueAtMs.every(Number.isFinite);

const backup = ({ newestGoodAtMs, resourceSinceMs, schedule }: BackupReading): boolean =>
  finiteOrNull(newestGoodAtMs) && finiteOrNull(resourceSinceMs) && due(schedule?.dueAtMs ?? null);

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
