/** From a backup server's answer about a disk to what detectors judge: a table with or without numbers. Pure. */
import { z } from 'zod';
import type { NvmeHealth } from '../../../signals/reading.ts';
import { figure, text } from '../proxmox/answer-fields.ts';
import type { SmartAnswer } from '../proxmox/smart/smart-answer.ts';
import { type DiskHealth, diskHealth, type ListedDisk } from '../proxmox/smart/smart-reading.ts';

const entry = z.looseObject({
  id: figure,
  name: z.string().max(128),
  raw: text,
  normalized: figure,
  threshold: figure,
});
type Entry = z.infer<typeof entry>;

export const pbsSmartAnswer = z.looseObject({
  /** `passed`, `failed`, `unknown`. */
  status: text,
  wearout: figure,
  attributes: z.array(z.unknown()).optional().catch(undefined),
});
export type PbsSmartAnswer = z.infer<typeof pbsSmartAnswer>;

const MAX_ENTRIES = 64;

const HEALTH: Readonly<Record<string, string>> = { passed: 'PASSED', failed: 'FAILED!' };

/** Null: the disk tells nothing. */
export const pbsDiskHealth = (answer: PbsSmartAnswer, disk: ListedDisk): DiskHealth | null => {
  const entries = (answer.attributes ?? []).slice(0, MAX_ENTRIES).flatMap((one) => entry.safeParse(one).data ?? []);
  const health = HEALTH[(answer.status ?? '').toLowerCase()] ?? 'UNKNOWN';
  const told: ListedDisk = { ...disk, lifeLeftPercent: answer.wearout ?? disk.lifeLeftPercent };
  if (entries.some(({ id }) => id !== undefined)) return diskHealth(ataAnswer(health, entries), told);
  if (disk.type === 'nvme' || entries.length > 0) return nvmeHealth(health, entries, told);
  // A SAS disk, of which the server tells the overall word alone.
  return health === 'UNKNOWN' ? null : diskHealth({ health }, told);
};

/** It leaves out which attributes are at their threshold: the numbers tell. */
const ataAnswer = (health: string, entries: readonly Entry[]): SmartAnswer => ({
  health,
  type: 'ata',
  attributes: entries.map((one) => ({ ...one, fail: isAtThreshold(one) ? 'NOW' : '-' })),
});

const isAtThreshold = ({ normalized, threshold }: Entry): boolean =>
  normalized !== undefined && threshold !== undefined && threshold > 0 && normalized <= threshold;

/** Named as smartctl's JSON names them. */
const nvmeHealth = (health: string, entries: readonly Entry[], disk: ListedDisk): DiskHealth => {
  const numberOf = (name: string): number | null => {
    const raw = entries.find((one) => one.name === name)?.raw;
    const value = Number(raw);
    return raw === undefined || raw === '' || !Number.isFinite(value) ? null : value;
  };
  const used = numberOf('percentage_used');
  const celsius = numberOf('temperature');
  return {
    reading: {
      kind: 'smart',
      deviceClass: 'nvme',
      healthPassed: health === 'UNKNOWN' ? null : health === 'PASSED',
      logRead: nvmeLog(numberOf) !== null,
      attributes: [],
      nvme: nvmeLog(numberOf),
      scsi: null,
      wearUsedPercent: used ?? (disk.lifeLeftPercent === null ? null : 100 - disk.lifeLeftPercent),
      powerOnHours: numberOf('power_on_hours'),
      selfTests: [],
    },
    celsius: celsius !== null && celsius > 0 && celsius < 150 ? celsius : null,
  };
};

const nvmeLog = (numberOf: (name: string) => number | null): NvmeHealth | null => {
  const criticalWarning = numberOf('critical_warning');
  const availableSparePercent = numberOf('available_spare');
  const availableSpareThresholdPercent = numberOf('available_spare_threshold');
  const mediaErrors = numberOf('media_errors');
  return criticalWarning === null ||
    availableSparePercent === null ||
    availableSpareThresholdPercent === null ||
    mediaErrors === null
    ? null
    : { criticalWarning, availableSparePercent, availableSpareThresholdPercent, mediaErrors };
};
