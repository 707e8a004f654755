/** Readings of containers and guests, as facts. */
import type {
  BackupVolumesReading,
  ContainerMemoryReading,
  ContainerReading,
  GuestStateReading,
  ReplicationReading,
  SnapshotsReading,
} from '../../../../signals/reading.ts';
import { bytes, instant, over, ratio } from '../figures.ts';
import { facts, listed, listedIfAny, type ShownFacts } from '../shown-facts.ts';

export const showContainer = (container: ContainerReading): ShownFacts => {
  const isUp = container.state === 'running' || container.state === 'paused';
  return facts({
    state: container.state,
    health: container.health === 'none' ? undefined : container.health,
    unhealthySince: instant(container.unhealthySinceMs) ?? undefined,
    lastProbe: container.health === 'unhealthy' ? (container.lastProbeOutput ?? undefined) : undefined,
    exitCode: isUp ? undefined : container.exitCode,
    startError: container.startError === null || container.startError === '' ? undefined : container.startError,
    oomKilled: container.oomKilled || undefined,
    restarts: container.restartCount,
    policy: container.restartPolicy,
    started: instant(container.startedAtMs) ?? undefined,
    finished: isUp ? undefined : (instant(container.finishedAtMs) ?? undefined),
    stopAskedFor: isUp ? undefined : (instant(container.stopRequestedAtMs) ?? undefined),
  });
};

export const showContainerMemory = (memory: ContainerMemoryReading): ShownFacts =>
  facts({
    workingSet: bytes(memory.workingSetBytes),
    limit: memory.limitBytes === null ? 'none' : bytes(memory.limitBytes),
    used:
      memory.limitBytes === null || memory.limitBytes <= 0
        ? undefined
        : ratio(memory.workingSetBytes / memory.limitBytes),
    over: over(memory),
  });

export const showGuestState = (guest: GuestStateReading): ShownFacts =>
  facts({
    power: guest.power === 'unknown' ? null : guest.power,
    pausedBecause: guest.pausedBecause ?? undefined,
    lock: guest.lock ?? undefined,
    taskRunning: guest.taskRunning === false ? undefined : guest.taskRunning,
    onBoot: guest.onBoot,
    ha: guest.ha === null ? undefined : facts({ state: guest.ha.state, requested: guest.ha.requested ?? undefined }),
    lastStop: guest.lastStop === null ? undefined : `${instant(guest.lastStop.atMs)} by ${guest.lastStop.by}`,
    stopsKnownSince: instant(guest.stopsKnownSinceMs),
  });

export const showSnapshots = ({ snapshots }: SnapshotsReading): ShownFacts =>
  facts({
    snapshots: snapshots.length,
    oldestFirst: listedIfAny(
      snapshots.toSorted((a, b) => a.createdAtMs - b.createdAtMs),
      ({ name, createdAtMs }) => `${instant(createdAtMs)} ${name}`,
    ),
  });

export const showBackupVolumes = ({ volumes }: BackupVolumesReading): ShownFacts =>
  facts({
    volumes: listed(volumes, (volume) =>
      facts({
        name: volume.name,
        size: bytes(volume.sizeBytes) ?? undefined,
        inBackups: volume.included,
        leftOutOnPurpose: volume.excludedOnPurpose || undefined,
      }),
    ),
  });

export const showReplication = (job: ReplicationReading): ShownFacts =>
  facts({
    job: job.job,
    target: job.target,
    enabled: job.enabled,
    running: job.running || undefined,
    lastSync: instant(job.lastSyncAtMs),
    lastTry: instant(job.lastTryAtMs) ?? undefined,
    failuresInARow: job.failCount,
    error: job.error ?? undefined,
    due: job.dueAtMs === null ? null : instant(job.dueAtMs[0]),
  });
