/** The past of a resource, as detectors see it: samples by metric, from patrold's own store or the source's. */
import { observedMs } from './observed.ts';
import type { Reading, SmartReading } from './reading.ts';
import type { ResourceId } from './resource.ts';

/** One remembered value. A use metric is a mean over the `windowMs` before `atMs`; 0 is an instant or a counter. */
export interface Sample {
  readonly atMs: number;
  readonly value: number;
  readonly windowMs: number;
}

/** Samples of one resource by metric name, oldest first, none in the future of the evaluation. */
export interface ResourceHistory {
  samples(metric: string): readonly Sample[];
}

export const noHistory: ResourceHistory = { samples: () => [] };

/** Builds `ResourceHistory` for every resource of an evaluation. */
export interface History {
  of(resourceId: ResourceId): ResourceHistory;
}

/**
 * How a metric is remembered.
 * `every`: each value counts (use, trends). `change`: only where it differs from the one before, and at least daily
 * (counters, states).
 */
export interface Remembered {
  readonly metric: string;
  readonly value: number;
  readonly windowMs: number;
  readonly keep: 'every' | 'change';
}

const every = (metric: string, value: number, windowMs = 0): Remembered => ({ metric, value, windowMs, keep: 'every' });
const change = (metric: string, value: number): Remembered => ({ metric, value, windowMs: 0, keep: 'change' });

/** Metric names, so that sources that keep history and detectors that read it can't drift apart. */
export const metrics = {
  cpu: 'cpu.busyRatio',
  iowait: 'cpu.iowaitRatio',
  steal: 'cpu.stealRatio',
  memory: 'memory.unavailableRatio',
  usedBytes: 'space.usedBytes',
  sizeBytes: 'space.sizeBytes',
  readOnly: 'filesystem.readOnly',
  smartAttribute: (id: number): string => `smart.${id}`,
  nvmeMediaErrors: 'smart.nvme.mediaErrors',
  scsiGrownDefects: 'smart.scsi.grownDefects',
  scsiUncorrected: 'smart.scsi.uncorrected',
  zfsMemberErrors: (member: string): string => `zfs.errors.${member}`,
  unitRestarts: 'unit.restarts',
  memoryCorrectable: 'edac.correctable',
  memoryUncorrectable: 'edac.uncorrectable',
  temperature: (sensor: string): string => `temperature.${sensor}`,
  clockOffset: 'clock.offsetMs',
  containerRestarts: (instanceId: string): string => `container.restarts.${instanceId}`,
  containerRunning: (instanceId: string): string => `container.running.${instanceId}`,
  containerMemory: 'container.memoryRatio',
  guestRunning: 'guest.running',
} as const;

const rememberSmart = ({ attributes, nvme, scsi }: SmartReading): readonly Remembered[] => [
  ...attributes.map((attribute) => change(metrics.smartAttribute(attribute.id), attribute.count)),
  ...(nvme === null ? [] : [change(metrics.nvmeMediaErrors, nvme.mediaErrors)]),
  ...(scsi?.grownDefects == null ? [] : [change(metrics.scsiGrownDefects, scsi.grownDefects)]),
  ...(scsi?.uncorrectedErrors == null ? [] : [change(metrics.scsiUncorrected, scsi.uncorrectedErrors)]),
];

/** What of a reading is worth remembering. Shared by the store that keeps samples and by tests. */
export const remember = (reading: Reading): readonly Remembered[] => {
  switch (reading.kind) {
    case 'cpu':
      return [
        every(metrics.cpu, reading.busyRatio, observedMs(reading)),
        ...(reading.iowaitRatio === null ? [] : [every(metrics.iowait, reading.iowaitRatio, observedMs(reading))]),
        ...(reading.stealRatio === null ? [] : [every(metrics.steal, reading.stealRatio, observedMs(reading))]),
      ];
    case 'memory':
      return reading.totalBytes > 0
        ? [every(metrics.memory, reading.unavailableBytes / reading.totalBytes, observedMs(reading))]
        : [];
    case 'filesystem':
      return [
        every(metrics.usedBytes, reading.usedBytes),
        change(metrics.sizeBytes, reading.sizeBytes),
        ...(reading.superblockReadOnly === null ? [] : [change(metrics.readOnly, reading.superblockReadOnly ? 1 : 0)]),
      ];
    case 'capacity':
      return [every(metrics.usedBytes, reading.usedBytes), change(metrics.sizeBytes, reading.sizeBytes)];
    case 'smart':
      return rememberSmart(reading);
    case 'zfs_pool':
      return reading.members.map((member) =>
        change(metrics.zfsMemberErrors(member.name), member.readErrors + member.writeErrors + member.checksumErrors),
      );
    case 'unit':
      return reading.restartCount === null ? [] : [change(metrics.unitRestarts, reading.restartCount)];
    case 'memory_errors':
      return [
        change(metrics.memoryCorrectable, reading.correctable),
        change(metrics.memoryUncorrectable, reading.uncorrectable),
      ];
    case 'temperature':
      return [every(metrics.temperature(reading.sensor), reading.celsius, observedMs(reading))];
    case 'clock':
      return reading.offsetMs === null ? [] : [every(metrics.clockOffset, reading.offsetMs)];
    case 'container':
      return [
        change(metrics.containerRestarts(reading.instanceId), reading.restartCount),
        change(metrics.containerRunning(reading.instanceId), reading.state === 'running' ? 1 : 0),
      ];
    case 'guest_state':
      return reading.power === 'unknown' ? [] : [change(metrics.guestRunning, reading.power === 'stopped' ? 0 : 1)];
    case 'container_memory':
      return reading.limitBytes === null
        ? []
        : [every(metrics.containerMemory, reading.workingSetBytes / reading.limitBytes, observedMs(reading))];
    default:
      // Everything else is of now alone.
      return [];
  }
};
