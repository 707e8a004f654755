/** Temperatures of the machine itself: processors, and sensors that name a trip point of their own. */
import type { TemperatureReading } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { type Hwmon, type HwmonTemperature, readTemperatures } from './hwmon.ts';
import { NOTHING, part } from './part.ts';
import { readThermalZones } from './thermal-zones.ts';

const SENSORS = 64;
const CPU_CHIPS =
  /^(?:coretemp|k8temp|k10temp|zenpower|via_cputemp|cpu_thermal|cpu[-_]?\d*[-_]thermal|soc_thermal|x86_pkg_temp)$/;
/** They belong to the disk. */
const DISK_CHIPS = new Set(['nvme', 'drivetemp']);
/** Their limits are whatever the firmware left in the registers. */
const BOARD_CHIPS = /^(?:nct\d|it8|f71|w83|fintek|asus|dell_smm|thinkpad|applesmc|sch5|lm\d|adt7)/;

export const collectTemperatures: Collector = async (host) => {
  if (host.environment.container !== null) return NOTHING;
  const readings = [...(await fromHwmon(host)), ...(await fromZones(host))].slice(0, SENSORS);
  if (readings.length === 0) return NOTHING;
  return part({
    additions: [{ ref: HOST_REF, expects: ['temperature'], facts: {} }],
    readings: readings.map((reading) => ({ ...reading, ref: HOST_REF, takenAtMs: host.clock.nowMs() })),
  });
};

const fromHwmon = async ({ reader, hwmons }: HostContext): Promise<readonly TemperatureReading[]> => {
  const chips = hwmons.filter(({ name }) => !DISK_CHIPS.has(name) && !BOARD_CHIPS.test(name));
  const all = await Promise.all(
    chips.map(async (chip) => {
      const temperatures = wholePackages(await readTemperatures(reader, chip));
      return temperatures.map((temperature) => toReading(chip.name, sensorName(chip, temperature), temperature));
    }),
  );
  return all.flat().filter(canBeJudged);
};

/** A processor's package says it for its cores. */
const wholePackages = (temperatures: readonly HwmonTemperature[]): readonly HwmonTemperature[] => {
  const packages = temperatures.filter(
    ({ label }) => label !== null && /^(?:Package id|Physical id|Tctl|Tdie)\b/.test(label),
  );
  return packages.length > 0 ? packages : temperatures;
};

/** Names stay the same over boots: hwmon numbers do not, device names do. */
const sensorName = ({ name, parent }: Hwmon, { label, channel }: HwmonTemperature): string => {
  const chip = parent === null ? name : parent.startsWith(name) ? parent : `${name}-${parent}`;
  return cleanText(`${chip} ${label ?? channel}`, 128);
};

/** The hwmon of a zone has its type, with underscores. */
const fromZones = async ({ reader, hwmons }: HostContext): Promise<readonly TemperatureReading[]> => {
  const known = new Set(hwmons.map(({ name }) => name));
  const zones = await readThermalZones(reader);
  const hasCpu = hwmons.some(({ name }) => CPU_CHIPS.test(name));
  const own = zones.filter(({ type }) => !known.has(type.replaceAll('-', '_')) && !(hasCpu && type === 'x86_pkg_temp'));
  return own
    .map(({ type, temperature }) => toReading(type.replaceAll('-', '_'), cleanText(type, 128), temperature))
    .filter(canBeJudged);
};

const toReading = (chip: string, sensor: string, temperature: HwmonTemperature): TemperatureReading => ({
  kind: 'temperature',
  sensor,
  celsius: temperature.celsius,
  warnCelsius: temperature.maxCelsius,
  criticalCelsius: temperature.criticalCelsius,
  windowMs: 0,
  observedRatio: 1,
  deviceClass: CPU_CHIPS.test(chip) ? 'cpu' : 'other',
});

const canBeJudged = ({ deviceClass, warnCelsius, criticalCelsius }: TemperatureReading): boolean =>
  deviceClass === 'cpu' || warnCelsius !== null || criticalCelsius !== null;
