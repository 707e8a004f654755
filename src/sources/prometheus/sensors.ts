/** What hwmon's chips and sensors are called, and where the device itself sees its limits; scoped as by the host source. */
import { cleanText } from '../../runtime/text.ts';
import { type Labels, targetKey } from './answer.ts';
import { type Answers, label, lastValue } from './answers.ts';

export interface Sensor {
  /** As the host source calls it. */
  readonly name: string;
  readonly isCpu: boolean;
  /** `nvme0`: the controller that it sits in; null: no disk. */
  readonly disk: string | null;
  readonly warnCelsius: number | null;
  readonly criticalCelsius: number | null;
}

/** Drivers of the processors' own sensors (linux Documentation/hwmon). */
const CPU_CHIPS =
  /^(?:coretemp|k8temp|k10temp|zenpower|via_cputemp|cpu_thermal|cpu[-_]?\d*[-_]thermal|soc_thermal|x86_pkg_temp)$/;
/** Their limits are whatever the firmware left in the registers. */
const BOARD_CHIPS = /^(?:nct\d|it8|f71|w83|fintek|asus|dell_smm|thinkpad|applesmc|sch5|lm\d|adt7)/;
const NVME_CHIP = /^nvme_(nvme\d+)$/;
/** A processor's package says it for its cores. */
const PACKAGE = /^(?:Package id|Physical id|Tctl|Tdie)\b/;

const chipKey = (labels: Labels): string => `${targetKey(labels)}\n${label(labels, 'chip')}`;
export const sensorKey = (labels: Labels): string => `${chipKey(labels)}\n${label(labels, 'sensor')}`;

/** Absent limits are written as 0, as the end of the scale, or as what a register holds by chance. */
const plausibleTrip = (celsius: number | undefined): number | null =>
  celsius !== undefined && celsius >= 30 && celsius <= 127 ? celsius : null;

/** The device in node_exporter's chip, which is its bus and its name with dots made to underscores. */
const parentOf = (chip: string): string | null => {
  const [, platform, number] = /^platform_(.+)_(\d+)$/.exec(chip) ?? [];
  if (platform !== undefined) return `${platform}.${number}`;
  const [, address, fn] = /([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2})_([0-9a-f])$/.exec(chip) ?? [];
  return address === undefined ? null : `${address}.${fn}`;
};

const nameOf = (chip: string, driver: string, channel: string): string => {
  const parent = parentOf(chip);
  const device = parent === null ? driver : parent.startsWith(driver) ? parent : `${driver}-${parent}`;
  return cleanText(`${device} ${channel}`, 128);
};

interface Names {
  /** Drivers by `chipKey`. */
  readonly drivers: ReadonlyMap<string, string>;
  /** Labels by `sensorKey`. */
  readonly channels: ReadonlyMap<string, string>;
  /** Chips with a sensor for the whole package. */
  readonly packages: ReadonlySet<string>;
}

const readNames = (answers: Answers): Names => {
  const drivers = new Map<string, string>();
  const channels = new Map<string, string>();
  const packages = new Set<string>();
  for (const { labels } of answers.series('node_sensor_names')) {
    if (label(labels, '__name__') === 'node_hwmon_chip_names') {
      drivers.set(chipKey(labels), label(labels, 'chip_name'));
      continue;
    }
    channels.set(sensorKey(labels), label(labels, 'label'));
    if (PACKAGE.test(label(labels, 'label'))) packages.add(chipKey(labels));
  }
  return { drivers, channels, packages };
};

/** Every sensor that is judged, by `sensorKey`. */
export const readSensors = (answers: Answers): ReadonlyMap<string, Sensor> => {
  const { drivers, channels, packages } = readNames(answers);
  const limits = Map.groupBy(answers.series('node_temperature_limits'), ({ labels }) => sensorKey(labels));
  const sensors = new Map<string, Sensor>();
  for (const { labels } of answers.series('node_temperature')) {
    const key = sensorKey(labels);
    const chip = label(labels, 'chip');
    const driver = drivers.get(chipKey(labels)) ?? chip;
    const channel = channels.get(key);
    const disk = NVME_CHIP.exec(chip)?.[1] ?? null;
    if (BOARD_CHIPS.test(driver) || driver === 'drivetemp' || (driver === 'nvme' && disk === null)) continue;
    if (packages.has(chipKey(labels)) && !PACKAGE.test(channel ?? '')) continue;
    const own = new Map((limits.get(key) ?? []).map((one) => [label(one.labels, '__name__'), lastValue(one)]));
    const criticalCelsius = plausibleTrip(own.get('node_hwmon_temp_crit_celsius'));
    const maxCelsius = plausibleTrip(own.get('node_hwmon_temp_max_celsius'));
    const warnCelsius =
      maxCelsius !== null && criticalCelsius !== null && maxCelsius >= criticalCelsius ? null : maxCelsius;
    const isCpu = CPU_CHIPS.test(driver);
    if (!isCpu && disk === null && warnCelsius === null && criticalCelsius === null) continue;
    const name = nameOf(chip, driver, channel ?? label(labels, 'sensor'));
    sensors.set(key, { name, isCpu, disk, warnCelsius, criticalCelsius });
  }
  return sensors;
};
