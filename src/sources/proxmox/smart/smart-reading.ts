/** From Proxmox' answer about a disk to what detectors judge. Pure. */
import type { SmartAttribute, SmartReading } from '../../../../signals/reading.ts';
import { cleanText } from '../../../runtime/text.ts';
import { attributesOf, type SmartAnswer, type SmartAnswerAttribute } from './smart-answer.ts';
import { isNvmeText, readNvmeText, readScsiText } from './smart-text.ts';

/** What `disks/list` says of the disk. */
export interface ListedDisk {
  readonly type: 'hdd' | 'ssd' | 'nvme' | 'usb' | 'unknown';
  /** Share of life that is LEFT, as Proxmox counts; null: not told. */
  readonly lifeLeftPercent: number | null;
}

export interface DiskHealth {
  readonly reading: SmartReading;
  readonly celsius: number | null;
}

/** Three counters of 16 bits in one raw value (Seagate). */
const COMMAND_TIMEOUT = 188;
const UNPACKED_BELOW = 2 ** 32;
const POWER_ON_HOURS = 9;
const AIRFLOW = 190;
const TEMPERATURE = 194;

const SWITCHED_OFF = /disabled/i;

/** Null: SMART is switched off, or the disk has none. */
export const diskHealth = (answer: SmartAnswer, disk: ListedDisk): DiskHealth | null => {
  const health = answer.health ?? '';
  if (SWITCHED_OFF.test(health)) return null;
  const text = answer.text ?? '';
  const healthPassed = passedBy(health);
  if (answer.type === 'ata' || answer.attributes !== undefined) return ataHealth(answer, disk, healthPassed);
  if (isNvmeText(text) || disk.type === 'nvme') return nvmeHealth(text, disk, healthPassed);
  if (text === '' && healthPassed === null) return null;
  return scsiHealth(text, disk, healthPassed);
};

/** `PASSED`, `OK`; `FAILED!` and a SCSI sentence of what fails. */
const passedBy = (health: string): boolean | null => {
  if (/^(?:PASSED|OK)\b/i.test(health)) return true;
  return /fail|impending|threshold exceeded/i.test(health) ? false : null;
};

/** A wear of 0 or less left may stand for "not told" with some disks: the attributes tell then. */
const wearUsed = ({ lifeLeftPercent }: ListedDisk): number | null =>
  lifeLeftPercent === null || lifeLeftPercent > 100 ? null : 100 - lifeLeftPercent;

const ataHealth = (answer: SmartAnswer, disk: ListedDisk, healthPassed: boolean | null): DiskHealth => {
  const attributes = attributesOf(answer).flatMap(toAttribute);
  const countOf = (id: number): number | null => attributes.find((one) => one.id === id)?.count ?? null;
  const isSsd = disk.type === 'ssd';
  return {
    reading: {
      kind: 'smart',
      deviceClass: isSsd ? 'ata-ssd' : 'ata-hdd',
      healthPassed,
      logRead: attributes.length > 0,
      attributes,
      nvme: null,
      scsi: null,
      wearUsedPercent: isSsd ? wearUsed(disk) : null,
      powerOnHours: countOf(POWER_ON_HOURS),
      selfTests: [],
    },
    celsius: plausibleCelsius(countOf(TEMPERATURE)) ?? plausibleCelsius(countOf(AIRFLOW)),
  };
};

const plausibleCelsius = (value: number | null): number | null =>
  value !== null && value > 0 && value < 150 ? value : null;

/** `2725 (151 234 0)` begins with the counter; of `0 0 12` the last word is the lowest. */
const countIn = (id: number, raw: string): number => {
  const printed = raw.trim();
  if (/^0x[0-9a-f]+$/i.test(printed)) return Number(printed);
  const words = /^\d+(?: \d+)+$/.test(printed) ? printed.split(' ') : null;
  const [leading] = /^-?\d+/.exec(printed) ?? [];
  const count = Number(words?.at(-1) ?? leading ?? Number.NaN);
  return id === COMMAND_TIMEOUT && count >= UNPACKED_BELOW ? count % 2 ** 16 : count;
};

const toAttribute = (entry: SmartAnswerAttribute): readonly SmartAttribute[] => {
  const { id, name, normalized, value, worst, threshold, fail = '', flags = '', raw = '' } = entry;
  const count = countIn(id, raw);
  if (!Number.isFinite(count)) return [];
  return [
    {
      id,
      name: cleanText(name, 64),
      value: normalized ?? value ?? null,
      worst: worst ?? null,
      threshold: threshold ?? null,
      prefail: flags.startsWith('P'),
      count,
      whenFailed: /now/i.test(fail) ? 'now' : /past/i.test(fail) ? 'past' : 'never',
    },
  ];
};

const nvmeHealth = (text: string, disk: ListedDisk, healthPassed: boolean | null): DiskHealth => {
  const { health, wearUsedPercent, celsius, powerOnHours } = readNvmeText(text);
  return {
    reading: {
      kind: 'smart',
      deviceClass: 'nvme',
      healthPassed,
      logRead: health !== null,
      attributes: [],
      nvme: health,
      scsi: null,
      wearUsedPercent: wearUsedPercent ?? wearUsed(disk),
      powerOnHours,
      selfTests: [],
    },
    celsius: plausibleCelsius(celsius),
  };
};

const scsiHealth = (text: string, disk: ListedDisk, healthPassed: boolean | null): DiskHealth => {
  const { health, wearUsedPercent, celsius } = readScsiText(text);
  return {
    reading: {
      kind: 'smart',
      deviceClass: 'scsi',
      healthPassed,
      logRead: health.grownDefects !== null,
      attributes: [],
      nvme: null,
      scsi: health,
      wearUsedPercent: wearUsedPercent ?? (disk.type === 'ssd' ? wearUsed(disk) : null),
      powerOnHours: null,
      selfTests: [],
    },
    celsius: plausibleCelsius(celsius),
  };
};
