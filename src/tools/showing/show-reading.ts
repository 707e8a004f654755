/** One reading as short facts with units. Every kind there is: a new one does not compile until it is shown. */
import { formatDuration } from '../../../signals/format.ts';
import { freshness } from '../../../signals/freshness.ts';
import type { Reading, ReadingBody } from '../../../signals/reading.ts';
import { showBackup, showUpkeep, showVerification } from './readings/backup.ts';
import {
  showCeph,
  showCertificate,
  showNodeState,
  showProbe,
  showQuorum,
  showStorageState,
  showSurvey,
  showTarget,
} from './readings/cluster.ts';
import {
  showBond,
  showBoot,
  showClock,
  showCpu,
  showMemory,
  showMemoryErrors,
  showOomKills,
  showTemperature,
  showUnit,
} from './readings/host.ts';
import { showArray, showCapacity, showFilesystem, showSmart, showThinPool, showZfsPool } from './readings/storage.ts';
import {
  showBackupVolumes,
  showContainer,
  showContainerMemory,
  showGuestState,
  showReplication,
  showSnapshots,
} from './readings/workload.ts';
import type { ShownFacts } from './shown-facts.ts';

type Show = {
  readonly [K in ReadingBody['kind']]: (reading: Extract<ReadingBody, { readonly kind: K }>) => ShownFacts;
};

const SHOW: Show = {
  cpu: showCpu,
  memory: showMemory,
  filesystem: showFilesystem,
  capacity: showCapacity,
  smart: showSmart,
  array: showArray,
  zfs_pool: showZfsPool,
  thin_pool: showThinPool,
  unit: showUnit,
  oom_kills: showOomKills,
  boot: showBoot,
  memory_errors: showMemoryErrors,
  temperature: showTemperature,
  clock: showClock,
  bond: showBond,
  container: showContainer,
  container_memory: showContainerMemory,
  probe: showProbe,
  certificate: showCertificate,
  target: showTarget,
  backup: showBackup,
  backup_verification: showVerification,
  upkeep: showUpkeep,
  backup_volumes: showBackupVolumes,
  guest_state: showGuestState,
  snapshots: showSnapshots,
  replication: showReplication,
  quorum: showQuorum,
  node_state: showNodeState,
  ceph: showCeph,
  storage_state: showStorageState,
  survey: showSurvey,
};

/** Readings of one survey are minutes apart; only what is older says when it was taken. */
const SAYS_ITS_AGE_MS = 10 * 60_000;

export const showReading = (reading: Reading, nowMs: number): ShownFacts => {
  // The table pairs each kind with its function; the compiler can't follow that through a lookup.
  const show = SHOW[reading.kind] as (reading: Reading) => ShownFacts;
  const shown = show(reading);
  const state = freshness(reading.kind, reading.takenAtMs, nowMs);
  if (state === 'future') return { ...shown, proves: 'nothing: it claims to be from the future' };
  const ageMs = nowMs - reading.takenAtMs;
  const age = ageMs > SAYS_ITS_AGE_MS ? { age: formatDuration(ageMs) } : {};
  return state === 'stale' ? { ...shown, ...age, proves: 'nothing: too old' } : { ...shown, ...age };
};
