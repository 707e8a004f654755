/** How far the machine's clock is off: by chrony where it runs, else what the kernel says through timedatectl. */
import type { ClockReading } from '../../../signals/reading.ts';
import type { CommandResult } from '../../runtime/command.ts';
import { failureOf, type Trouble, troubleOf } from './command-trouble.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { NOTHING, part } from './part.ts';

/** Where the kernel stops counting and calls a clock unsynchronised (NTP_PHASE_LIMIT, linux/timex.h). */
const UNSYNCHRONISED_ERROR_MS = 16_000;

/** A container's clock is its host's. */
export const collectClock: Collector = async (host) => {
  if (host.environment.container !== null) return NOTHING;
  const additions = [{ ref: HOST_REF, expects: ['clock' as const], facts: {} }];
  const reading = (await fromChrony(host)) ?? (await fromTimedatectl(host));
  if ('code' in reading) return part({ additions, gaps: [{ ref: HOST_REF, reads: ['clock'], ...reading }] });
  return part({ additions, readings: [{ ...reading, ref: HOST_REF, takenAtMs: host.clock.nowMs() }] });
};

const fromChrony = async ({ commands }: HostContext): Promise<ClockReading | null> => {
  const result = await commands.run('chronyc', ['-n', '-c', 'tracking']);
  return result.kind === 'exited' && result.code === 0 ? parseChronyTracking(result.stdout) : null;
};

/** Its own clock (127.127.1.x, the `local` directive): chrony calls that "Normal", and nothing is compared with anything. */
const LOCAL_REFERENCE = '7F7F01';
const FREE_RUNNING: ClockReading = {
  kind: 'clock',
  synchronised: null,
  offsetMs: null,
  estimatedErrorMs: null,
  resolutionMs: 1,
};

/**
 * Columns of `chronyc -c tracking` (chronyc(1)): 4 reference time, 5 offset of the system's clock, 11 root delay, 12 root
 * dispersion, 14 leap status; seconds. The true time lies within offset, half the delay and the dispersion.
 */
export const parseChronyTracking = (text: string): ClockReading | null => {
  const columns = text.trim().split(',');
  const [referenceTime, offset, delay, dispersion] = [3, 4, 10, 11].map((index) => Number(columns[index]));
  const leap = columns[13];
  if (columns.length < 14 || leap === undefined) return null;
  if (referenceTime === undefined || offset === undefined || delay === undefined || dispersion === undefined)
    return null;
  if (![referenceTime, offset, delay, dispersion].every(Number.isFinite)) return null;
  if (columns[0]?.startsWith(LOCAL_REFERENCE)) return FREE_RUNNING;
  const synchronised = leap !== 'Not synchronised';
  const boundMs = (Math.abs(offset) + delay / 2 + dispersion) * 1_000;
  return {
    kind: 'clock',
    synchronised,
    // Without any reference there is nothing that the offset could be from.
    offsetMs: referenceTime > 0 ? offset * 1_000 : null,
    estimatedErrorMs: synchronised ? boundMs : Math.max(boundMs, UNSYNCHRONISED_ERROR_MS),
    resolutionMs: 1,
  };
};

const fromTimedatectl = async ({ commands, reader }: HostContext): Promise<ClockReading | Trouble> => {
  if ((await reader.list('/run/systemd/system')).kind === 'absent') return NOBODY;
  const bus = `unix:path=${reader.root}/run/dbus/system_bus_socket`;
  const env: Readonly<Record<string, string>> = reader.root === '/' ? {} : { DBUS_SYSTEM_BUS_ADDRESS: bus };
  const result = await commands.run('timedatectl', ['show', '--property=NTPSynchronized'], { env });
  return parseTimedatectl(result);
};

const NOBODY: Trouble = {
  code: 'not_supported',
  reason: 'nobody here tells whether the clock is right: neither a running chronyd nor systemd-timedated',
};

/** `NTPSynchronized` is the kernel's: its estimate of the error is below 16 s. */
const parseTimedatectl = (result: CommandResult): ClockReading | Trouble => {
  const trouble = troubleOf(result, 'timedatectl', 'install chrony, or systemd-timedated');
  if (trouble !== null || result.kind !== 'exited') return trouble ?? NOBODY;
  const said = /^NTPSynchronized=(yes|no)$/m.exec(result.stdout)?.[1];
  if (said === undefined) return result.code === 0 ? NOBODY : failureOf(result, 'timedatectl');
  const synchronised = said === 'yes';
  return {
    kind: 'clock',
    synchronised,
    offsetMs: null,
    estimatedErrorMs: synchronised ? null : UNSYNCHRONISED_ERROR_MS,
    resolutionMs: 1,
  };
};
