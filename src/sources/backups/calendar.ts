/** When a systemd calendar is due, reckoned by systemd itself. */
import type { CommandRunner } from '../../runtime/command.ts';
import { parseTimestamp } from './show-output.ts';

/** Calendars are read in the machine's own zone, and each time is printed in UTC too (`TZ` as in tzset(3)). */
const LOCAL_ZONE = { TZ: ':/etc/localtime' } as const;

const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 65_536;
const TIMES = 2;

/** The first two instants after `afterMs`; fewer where the calendar ends; null where systemd does not say. */
export const nextTimes = async (
  calendar: string,
  afterMs: number,
  commands: CommandRunner,
  signal: AbortSignal,
): Promise<readonly number[] | null> => {
  const result = await commands.run({
    file: 'systemd-analyze',
    args: ['calendar', `--base-time=@${Math.floor(afterMs / 1_000)}`, `--iterations=${TIMES}`, '--', calendar],
    env: LOCAL_ZONE,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  return result.kind === 'exited' && result.code === 0 ? parseTimes(result.stdout) : null;
};

const ELAPSE = /^\s*(?:Next elapse|Iter(?:ation|\.) ?#\d+): (.+)$(?:\n\s*\(in UTC\): (.+)$)?/gm;

export const parseTimes = (stdout: string): readonly number[] | null => {
  const times = [...stdout.matchAll(ELAPSE)]
    .filter(([, local]) => local !== 'never')
    .map(([, local = '', utc]) => parseTimestamp(utc ?? local));
  const known = times.filter((atMs) => atMs !== null);
  return known.length === times.length ? known : null;
};
