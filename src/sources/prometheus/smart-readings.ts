/** SMART as smartctl_exporter writes it, put together again to what one disk says of itself. */
import type {
  NvmeHealth,
  ScsiHealth,
  SmartAttribute,
  SmartDeviceClass,
  SmartReading,
} from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import type { SeriesAnswer } from './answer.ts';
import { label, lastValue } from './answers.ts';
import type { Disk } from './disks.ts';

/** Newest values of the disk's metrics, by name without `smartctl_` and `device_`. */
export type SmartValues = ReadonlyMap<string, number>;

/**
 * Which low bits of the raw 48 hold the counter, by smartmontools' default formats (drivedb, `raw16(raw16)` and the
 * like) and Seagate's packing of 188; the exporter drops smartctl's own, unpacked text.
 */
const COUNTER_BITS: ReadonlyMap<number, number> = new Map([
  [3, 16],
  [5, 16],
  [9, 24],
  [188, 16],
  [190, 16],
  [194, 16],
  [196, 16],
  [240, 24],
]);
/** Above it a raw value is no count of events but several numbers in one. */
const PACKED_ABOVE = 2 ** 32;

export const unpackCounter = (id: number, raw: number): number => {
  const bits = COUNTER_BITS.get(id);
  if (bits !== undefined) return raw % 2 ** bits;
  return raw < PACKED_ABOVE ? raw : raw % PACKED_ABOVE;
};

const ATTRIBUTES = 64;

/** From the four series (`value`, `worst`, `thresh`, `raw`) of each attribute. */
export const smartAttributes = (series: readonly SeriesAnswer[]): readonly SmartAttribute[] => {
  const byId = Map.groupBy(series, ({ labels }) => label(labels, 'attribute_id'));
  return [...byId].slice(0, ATTRIBUTES).flatMap(([idText, parts]) => {
    const id = Number(idText);
    const values = new Map(parts.map((part) => [label(part.labels, 'attribute_value_type'), lastValue(part)]));
    const raw = values.get('raw');
    const [first] = parts;
    if (!Number.isInteger(id) || raw === undefined || first === undefined) return [];
    const [value = null, worst = null, threshold = null] = ['value', 'worst', 'thresh'].map(
      (type) => values.get(type) ?? null,
    );
    return [
      {
        id,
        name: cleanText(label(first.labels, 'attribute_name'), 64),
        value,
        worst,
        threshold,
        prefail: label(first.labels, 'attribute_flags_long').split(',').includes('prefailure'),
        count: unpackCounter(id, raw),
        whenFailed: whenFailed(value, worst, threshold),
      },
    ];
  });
};

/** As smartctl decides it: a threshold of 0 never fails, and values outside 1..253 are none. */
const whenFailed = (
  value: number | null,
  worst: number | null,
  threshold: number | null,
): SmartAttribute['whenFailed'] => {
  if (threshold === null || threshold <= 0 || value === null || value < 1 || value > 253) return 'never';
  if (value <= threshold) return 'now';
  return worst !== null && worst >= 1 && worst <= threshold ? 'past' : 'never';
};

const LIFE_LEFT =
  /^(?:Media_Wearout_Indicator|Wear_Leveling_Count|SSD_Life_Left|Percent_Lifetime_Remain|Remaining_Lifetime_Perc|Drive_Life_Remaining%?|Remain(?:ing)?_Life(?:time)?)/;

const wearUsed = (values: SmartValues, attributes: readonly SmartAttribute[], isSsd: boolean): number | null => {
  const told = values.get('percentage_used') ?? values.get('endurance_used');
  if (told !== undefined) return told;
  const left = isSsd
    ? attributes.find(({ name, value }) => LIFE_LEFT.test(name) && value !== null && value <= 100)
    : undefined;
  return left?.value == null ? null : 100 - left.value;
};

/** The exporter writes 0 for each value of a log that it could not read; no disk has a spare and a threshold of 0. */
const nvmeHealth = (values: SmartValues): NvmeHealth | null => {
  const [criticalWarning, spare, threshold, mediaErrors] = [
    'critical_warning',
    'available_spare',
    'available_spare_threshold',
    'media_errors',
  ].map((name) => values.get(name));
  if (criticalWarning === undefined || spare === undefined || threshold === undefined || mediaErrors === undefined)
    return null;
  if (spare === 0 && threshold === 0) return null;
  return { criticalWarning, availableSparePercent: spare, availableSpareThresholdPercent: threshold, mediaErrors };
};

const scsiHealth = (values: SmartValues): ScsiHealth => {
  const uncorrected = ['read_total_uncorrected_errors', 'write_total_uncorrected_errors'].flatMap(
    (name) => values.get(name) ?? [],
  );
  return {
    grownDefects: values.get('scsi_grown_defect_list') ?? null,
    uncorrectedErrors: uncorrected.length === 0 ? null : uncorrected.reduce((sum, count) => sum + count, 0),
  };
};

const classOf = ({ smart, diskClass }: Disk): SmartDeviceClass => {
  const protocol = label(smart ?? {}, 'protocol');
  if (protocol === 'NVMe' || diskClass === 'nvme') return 'nvme';
  if (protocol === 'SCSI') return 'scsi';
  return diskClass === 'sata-ssd' ? 'ata-ssd' : 'ata-hdd';
};

/** Bit 7 of smartctl's exit status: the self-test log holds failures that no newer, longer test has outdated. */
const SELF_TEST_FAILED = 1 << 7;

export const smartReading = (disk: Disk, values: SmartValues, attributes: readonly SmartAttribute[]): SmartReading => {
  const deviceClass = classOf(disk);
  const nvme = deviceClass === 'nvme' ? nvmeHealth(values) : null;
  const scsi = deviceClass === 'scsi' ? scsiHealth(values) : null;
  const passed = values.get('smart_status');
  const powerOnS = values.get('power_on_seconds');
  const scsiRead = scsi !== null && (scsi.grownDefects !== null || scsi.uncorrectedErrors !== null);
  const selfTestFailed = ((values.get('smartctl_exit_status') ?? 0) & SELF_TEST_FAILED) !== 0;
  return {
    kind: 'smart',
    deviceClass,
    healthPassed: passed === undefined ? null : passed === 1,
    logRead: nvme !== null || scsiRead || attributes.length > 0,
    attributes,
    nvme,
    scsi,
    wearUsedPercent:
      deviceClass === 'nvme' && nvme === null ? null : wearUsed(values, attributes, deviceClass === 'ata-ssd'),
    powerOnHours: powerOnS === undefined ? null : Math.floor(powerOnS / 3_600),
    selfTests: selfTestFailed ? [{ kind: 'other', passed: false, atPowerOnHours: null }] : [],
  };
};
