/** Temperatures of disks: by the kernel's sensors (nvme, drivetemp), else as smartctl has just heard it. */
import { z } from 'zod';
import type { TemperatureReading } from '../../../signals/reading.ts';
import type { Gap, SurveyedReading } from '../../../signals/survey.ts';
import type { BlockDisk } from './block-disks.ts';
import { diskRef } from './disk-claims.ts';
import { diskClass } from './disk-kind.ts';
import type { HostContext } from './host-context.ts';
import { type Hwmon, readTemperatures } from './hwmon.ts';
import { joinParts, type Part, part } from './part.ts';
import { DISK_SENSOR } from './smart-temperature.ts';

const STATE_KEY = 'disk-io';

/** `fromSmart`: by the disk's key, those that this survey asked. */
export const readDiskTemperatures = async (
  host: HostContext,
  disks: readonly BlockDisk[],
  fromSmart: ReadonlyMap<string, TemperatureReading>,
): Promise<Part> => {
  const before = z.record(z.string(), z.number()).safeParse(host.state.get(STATE_KEY)).data ?? {};
  const counts = disks.flatMap(({ name, ioCount }) => (ioCount === null ? [] : [[name, ioCount] as const]));
  host.state.set(STATE_KEY, Object.fromEntries(counts));
  const withSensor = disks.flatMap((disk) => {
    const hwmon = sensorOf(host, disk);
    return hwmon === undefined ? [] : [{ disk, hwmon }];
  });
  const sensed = withSensor.map(({ disk, hwmon }) =>
    readOne(host, disk, hwmon, isLeftAlone(disk, before[disk.name]), fromSmart.get(disk.name)),
  );
  const known = new Set(withSensor.map(({ disk }) => disk.name));
  const told = [...fromSmart].filter(([key]) => !known.has(key)).map(([key, reading]) => stamp(host, key, reading));
  return joinParts([...(await Promise.all(sensed)), part({ readings: told })]);
};

const sensorOf = ({ hwmons }: HostContext, { sensorParents }: BlockDisk): Hwmon | undefined =>
  hwmons.find(({ parent }) => parent !== null && sensorParents.includes(parent));

/**
 * Asking a turning disk for its temperature restarts the timer of some, so that they never spin down
 * (Documentation/hwmon/drivetemp.rst): one that nobody used since the last survey is left alone.
 */
const isLeftAlone = ({ rotational, ioCount }: BlockDisk, before: number | undefined): boolean =>
  rotational && before !== undefined && ioCount === before;

const stamp = ({ clock }: HostContext, key: string, reading: TemperatureReading): SurveyedReading => ({
  ...reading,
  ref: diskRef(key),
  takenAtMs: clock.nowMs(),
});

const readOne = async (
  host: HostContext,
  disk: BlockDisk,
  hwmon: Hwmon,
  leftAlone: boolean,
  fromSmart: TemperatureReading | undefined,
): Promise<Part> => {
  const ref = diskRef(disk.name);
  const additions = [{ ref, expects: ['temperature' as const], facts: {} }];
  const gap = (code: Gap['code'], reason: string): Part =>
    part({ additions, gaps: [{ ref, reads: ['temperature'], code, reason }] });
  const reading = (leftAlone ? null : await sense(host, disk, hwmon)) ?? fromSmart;
  if (reading !== undefined) return part({ additions, readings: [stamp(host, disk.name, reading)] });
  return leftAlone
    ? gap('asleep', `${disk.name} has been idle since the last survey, and is not asked so that it can spin down`)
    : gap('failed', `the temperature sensor of ${disk.name} gives no value`);
};

/** The first channel: NVMe's composite, drivetemp's only one. */
const sense = async ({ reader }: HostContext, disk: BlockDisk, hwmon: Hwmon): Promise<TemperatureReading | null> => {
  const [temperature] = await readTemperatures(reader, hwmon);
  return temperature === undefined
    ? null
    : {
        kind: 'temperature',
        sensor: DISK_SENSOR,
        celsius: temperature.celsius,
        warnCelsius: temperature.maxCelsius,
        criticalCelsius: temperature.criticalCelsius,
        windowMs: 0,
        observedRatio: 1,
        deviceClass: diskClass(disk.transport, disk.rotational),
      };
};
