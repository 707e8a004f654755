/** An ICMP check, by the `ping` that every distribution ships: it may do what needs a privilege that patrold has not. */
import type { CommandRunner } from '../../runtime/command.ts';
import type { IcmpCheck } from './check.ts';
import { type CheckOutcome, type ProbeOutcome, unknown } from './outcome.ts';
import { readPing } from './ping-output.ts';

/** One lost packet is no outage. */
const PACKETS = 3;
/** iputils lets others than root ask no faster than every 0.2 s (ping(8), `-i`); until the deadline it goes on asking a silent host. */
const INTERVAL_SECONDS = '0.5';
/** Over the deadline that ping itself keeps, for its start and its last words. */
const SPARE_MS = 2_000;
const MAX_OUTPUT_BYTES = 65_536;

export const probeIcmp = async (
  check: IcmpCheck,
  commands: CommandRunner,
  signal: AbortSignal,
): Promise<CheckOutcome> => ({
  probe: await ping(check, commands, signal),
  certificate: null,
});

const ping = async (
  { host, timeoutMs }: IcmpCheck,
  commands: CommandRunner,
  signal: AbortSignal,
): Promise<ProbeOutcome> => {
  const seconds = Math.max(1, Math.ceil(timeoutMs / 1_000));
  const result = await commands.run({
    file: 'ping',
    args: [
      '-n',
      '-c',
      String(PACKETS),
      '-i',
      INTERVAL_SECONDS,
      '-W',
      String(seconds),
      '-w',
      String(seconds),
      '--',
      host,
    ],
    timeoutMs: seconds * 1_000 + SPARE_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  switch (result.kind) {
    case 'exited':
      return readPing(host, result.stdout, result.stderr);
    case 'not_found':
      return unknown('not_installed', 'ping is not installed: install iputils-ping, or check something else than icmp');
    case 'not_permitted':
      return unknown('not_permitted', 'ping may not be executed by the user that patrold runs as');
    case 'timed_out':
      // It waits for DNS before its own deadline begins.
      return unknown(
        'timed_out',
        `ping did not come to an end within ${result.timeoutMs} ms: is DNS slow for ${host}?`,
      );
    case 'aborted':
      return unknown('timed_out', 'the survey ended before ping did');
    case 'signalled':
    case 'too_large':
    case 'stuck':
    case 'failed':
      return unknown('failed', `ping did not work (${result.kind})`);
  }
};
