/** Temperatures of the kernel's thermal class, for machines whose sensors are only there (ARM boards). */
import type { HwmonTemperature } from './hwmon.ts';
import { namesIn, type RootReader, readLine, readNumber } from './root-reader.ts';

export interface ThermalZone {
  readonly type: string;
  readonly temperature: HwmonTemperature;
}

const ZONES = 64;
const TRIPS = 16;

export const readThermalZones = async (reader: RootReader): Promise<readonly ThermalZone[]> => {
  const names = (await namesIn(reader, '/sys/class/thermal')).filter((name) => name.startsWith('thermal_zone'));
  const all = await Promise.all(names.slice(0, ZONES).map((name) => readZone(reader, `/sys/class/thermal/${name}`)));
  return all.filter((zone) => zone !== null);
};

const readZone = async (reader: RootReader, path: string): Promise<ThermalZone | null> => {
  const [type, millidegrees] = await Promise.all([
    readLine(reader, `${path}/type`),
    readNumber(reader, `${path}/temp`),
  ]);
  if (type === null || millidegrees === null || millidegrees <= 0 || millidegrees > 150_000) return null;
  const trips = await readTrips(reader, path);
  return {
    type,
    temperature: {
      channel: 'temp',
      label: null,
      celsius: millidegrees / 1_000,
      maxCelsius: trips.get('hot') ?? null,
      criticalCelsius: trips.get('critical') ?? null,
    },
  };
};

/** By type; of several of one type the lowest. A passive one only slows the CPU down, which is no fault. */
const readTrips = async (reader: RootReader, path: string): Promise<ReadonlyMap<string, number>> => {
  const trips = new Map<string, number>();
  for (let index = 0; index < TRIPS; index += 1) {
    const type = await readLine(reader, `${path}/trip_point_${index}_type`);
    if (type === null) break;
    const millidegrees = await readNumber(reader, `${path}/trip_point_${index}_temp`);
    if (millidegrees === null || millidegrees < 30_000 || millidegrees > 127_000) continue;
    trips.set(type, Math.min(trips.get(type) ?? Number.POSITIVE_INFINITY, millidegrees / 1_000));
  }
  return trips;
};
