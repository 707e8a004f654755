/** SMART as smartctl_exporter writes it, put together again to what one disk says of itself. */
import type {
  NvmeHealth,
  ScsiHealth,
  SmartAttribute,
  SmartDeviceClass,
  SmartReading,
} from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import type { Labels, SeriesAnswer } from './answer.ts';
import { label, lastValue } from './answers.ts';
import type { Disk } from './disks.ts';

/** Newest values of the disk's metrics, by name without `smartctl_` and `device_`. */
export type SmartValues = Readonly<Record<string, number>>;

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

interface AttributeDraft {
  readonly labels: Labels;
  /** `raw`, `value`, `worst`, `thresh`. */
  readonly parts: Record<string, number>;
}

/** From the series of each attribute; one without its raw value is left out. */
export const smartAttributes = (series: readonly SeriesAnswer[]): readonly SmartAttribute[] => {
  const byId = new Map<string, AttributeDraft>();
  for (const one of series) {
    const id = label(one.labels, 'attribute_id');
    let draft = byId.get(id);
    if (draft === undefined) {
      if (byId.size >= ATTRIBUTES) continue;
      draft = { labels: one.labels, parts: {} };
      byId.set(id, draft);
    }
    draft.parts[label(one.labels, 'attribute_value_type')] = lastValue(one);
  }
  const attributes: SmartAttribute[] = [];
  for (const [id, draft] of byId) {
    const attribute = toAttribute(Number(id), draft);
    if (attribute !== null) attributes.push(attribute);
  }
  return attributes;
};

const toAttribute = (id: number, { labels, parts }: AttributeDraft): SmartAttribute | null => {
  const raw = parts['raw'];
  if (!Number.isInteger(id) || raw === undefined) return null;
  const value = parts['value'] ?? null;
  const worst = parts['worst'] ?? null;
  const threshold = parts['thresh'] ?? null;
  return {
    id,
    name: cleanText(label(labels, 'attribute_name'), 64),
    value,
    worst,
    threshold,
    prefail: label(labels, 'attribute_flags_long').includes('prefailure'),
    count: unpackCounter(id, raw),
    whenFailed: whenFailed(value, worst, threshold),
  };
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

/** Attributes whose normalised value is the life that is left, by smartmontools' names for them; RE2 and JavaScript. */
export const LIFE_LEFT_NAMES =
  'Media_Wearout_Indicator|Wear_Leveling_Count|SSD_Life_Left|Percent_Lifetime_Remain.*|Remaining_Lifetime_Perc|Drive_Life_Remaining%?|Remain(?:ing)?_Life(?:time)?.*';
const LIFE_LEFT = new RegExp(`^(?:${LIFE_LEFT_NAMES})$`);

const wearUsed = (values: SmartValues, attributes: readonly SmartAttribute[], isSsd: boolean): number | null => {
  const told = values['percentage_used'] ?? values['endurance_used'];
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
  ].map((name) => values[name]);
  if (criticalWarning === undefined || spare === undefined || threshold === undefined || mediaErrors === undefined)
    return null;
  if (spare === 0 && threshold === 0) return null;
  return { criticalWarning, availableSparePercent: spare, availableSpareThresholdPercent: threshold, mediaErrors };
};

const scsiHealth = (values: SmartValues): ScsiHealth => {
  const uncorrected = ['read_total_uncorrected_errors', 'write_total_uncorrected_errors'].flatMap(
    (name) => values[name] ?? [],
  );
  return {
    grownDefects: values['scsi_grown_defect_list'] ?? null,
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
  const passed = values['smart_status'];
  const powerOnS = values['power_on_seconds'];
  const scsiRead = scsi !== null && (scsi.grownDefects !== null || scsi.uncorrectedErrors !== null);
  const selfTestFailed = ((values['smartctl_exit_status'] ?? 0) & SELF_TEST_FAILED) !== 0;
  return {
    kind: 'smart',
    deviceClass,
    healthPassed: passed === undefined ? null : passed === 1,
    logRead: nvme !== null || scsiRead || attributes.length > 0 || (values['attribute_count'] ?? 0) > 0,
    attributes,
    nvme,
    scsi,
    wearUsedPercent:
      deviceClass === 'nvme' && nvme === null ? null : wearUsed(values, attributes, deviceClass === 'ata-ssd'),
    powerOnHours: powerOnS === undefined ? null : Math.floor(powerOnS / 3_600),
    selfTests: selfTestFailed ? [{ kind: 'other', passed: false, atPowerOnHours: null }] : [],
  };
};
