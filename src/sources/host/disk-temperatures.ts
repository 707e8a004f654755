/** Temperatures of disks that the kernel has sensors for (nvme, drivetemp). */
import { z } from 'zod';
import type { Gap, SurveyedReading } from '../../../signals/survey.ts';
import type { BlockDisk } from './block-disks.ts';
import { diskRef } from './disk-claims.ts';
import { diskClass } from './disk-kind.ts';
import type { Collector, HostContext } from './host-context.ts';
import { type Hwmon, readTemperatures } from './hwmon.ts';
import { type Addition, NOTHING, type Part, part } from './part.ts';
import { DISK_SENSOR } from './smart-temperature.ts';

const STATE_KEY = 'disk-io';

export const collectDiskTemperatures: Collector = async (host) => {
  if (host.environment.container !== null) return NOTHING;
  const before = z.record(z.string(), z.number()).safeParse(host.state.get(STATE_KEY)).data ?? {};
  const counts = host.disks.flatMap(({ name, ioCount }) => (ioCount === null ? [] : [[name, ioCount] as const]));
  host.state.set(STATE_KEY, Object.fromEntries(counts));
  const pairs = host.disks.flatMap((disk) => {
    const hwmon = host.hwmons.find(({ parent }) => parent !== null && disk.sensorParents.includes(parent));
    return hwmon === undefined ? [] : [{ disk, hwmon }];
  });
  const parts = await Promise.all(pairs.map(({ disk, hwmon }) => readOne(host, disk, hwmon, before[disk.name])));
  return part({
    additions: parts.flatMap(({ additions }) => additions),
    readings: parts.flatMap(({ readings }) => readings),
    gaps: parts.flatMap(({ gaps }) => gaps),
  });
};

/**
 * Asking a turning disk for its temperature restarts the timer of some, so that they never spin down
 * (Documentation/hwmon/drivetemp.rst): one that nobody used since the last survey is left alone.
 */
const isLeftAlone = ({ rotational, ioCount }: BlockDisk, before: number | undefined): boolean =>
  rotational && before !== undefined && ioCount === before;

const readOne = async (host: HostContext, disk: BlockDisk, hwmon: Hwmon, before: number | undefined): Promise<Part> => {
  const ref = diskRef(disk.name);
  const additions: readonly Addition[] = [{ ref, expects: ['temperature'], facts: {} }];
  const gap = (code: Gap['code'], reason: string): Part =>
    part({ additions, gaps: [{ ref, reads: ['temperature'], code, reason }] });
  if (isLeftAlone(disk, before)) {
    return gap('asleep', `${disk.name} has been idle since the last survey, and is not asked so that it can spin down`);
  }
  const [temperature] = await readTemperatures(host.reader, hwmon);
  if (temperature === undefined) return gap('failed', `the temperature sensor of ${disk.name} gives no value`);
  const reading: SurveyedReading = {
    kind: 'temperature',
    sensor: DISK_SENSOR,
    celsius: temperature.celsius,
    warnCelsius: temperature.maxCelsius,
    criticalCelsius: temperature.criticalCelsius,
    windowMs: 0,
    observedRatio: 1,
    deviceClass: diskClass(disk.transport, disk.rotational),
    ref,
    takenAtMs: host.clock.nowMs(),
  };
  return part({ additions, readings: [reading] });
};
