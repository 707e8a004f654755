/** Temperature sensors of the kernel's hwmon class (Documentation/hwmon/sysfs-interface.rst). */
import { posix } from 'node:path';
import { namesIn, type RootReader, readLine, readNumber } from './root-reader.ts';

export interface Hwmon {
  readonly path: string;
  /** The driver's: `coretemp`, `nvme`, `drivetemp`. */
  readonly name: string;
  /** The device that it measures, as sysfs calls it: `nvme0`, `0:0:0:0`, `coretemp.0`; null: none. */
  readonly parent: string | null;
}

export interface HwmonTemperature {
  /** `temp1`. */
  readonly channel: string;
  readonly label: string | null;
  readonly celsius: number;
  readonly maxCelsius: number | null;
  readonly criticalCelsius: number | null;
}

const DEVICES = 64;
const CHANNELS = 64;
/** Where nothing is connected, chips read some extreme or another. */
const PLAUSIBLE = { min: -30, max: 150 } as const;
const PLAUSIBLE_TRIP = { min: 30, max: 127 } as const;

export const readHwmons = async (reader: RootReader): Promise<readonly Hwmon[]> => {
  const names = (await namesIn(reader, '/sys/class/hwmon')).slice(0, DEVICES);
  const all = await Promise.all(
    names.map(async (entry) => {
      const path = `/sys/class/hwmon/${entry}`;
      const [name, device] = await Promise.all([readLine(reader, `${path}/name`), reader.realPath(`${path}/device`)]);
      return name === null ? [] : [{ path, name, parent: device === null ? null : posix.basename(device) }];
    }),
  );
  return all.flat();
};

/** Channels that read something; a sensor that fails or is not connected is left out. */
export const readTemperatures = async (reader: RootReader, { path }: Hwmon): Promise<readonly HwmonTemperature[]> => {
  const channels = (await namesIn(reader, path)).flatMap((name) => /^(temp\d+)_input$/.exec(name)?.[1] ?? []);
  const all = await Promise.all(
    channels.slice(0, CHANNELS).map((channel) => readChannel(reader, `${path}/${channel}`, channel)),
  );
  return all.filter((temperature) => temperature !== null);
};

const readChannel = async (reader: RootReader, prefix: string, channel: string): Promise<HwmonTemperature | null> => {
  const [input, fault, label, max, crit] = await Promise.all([
    readNumber(reader, `${prefix}_input`),
    readNumber(reader, `${prefix}_fault`),
    readLine(reader, `${prefix}_label`),
    readNumber(reader, `${prefix}_max`),
    readNumber(reader, `${prefix}_crit`),
  ]);
  if (input === null || fault === 1) return null;
  const celsius = input / 1_000;
  if (celsius < PLAUSIBLE.min || celsius > PLAUSIBLE.max) return null;
  const criticalCelsius = trip(crit);
  const maxCelsius = trip(max);
  return {
    channel,
    label,
    celsius,
    maxCelsius: maxCelsius !== null && criticalCelsius !== null && maxCelsius >= criticalCelsius ? null : maxCelsius,
    criticalCelsius,
  };
};

const trip = (millidegrees: number | null): number | null => {
  const celsius = millidegrees === null ? null : millidegrees / 1_000;
  return celsius !== null && celsius >= PLAUSIBLE_TRIP.min && celsius <= PLAUSIBLE_TRIP.max ? celsius : null;
};
