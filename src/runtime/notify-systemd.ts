/** Tells systemd how the service is doing, through `systemd-notify`: Node has no unix datagram sockets. */
import { execFile } from 'node:child_process';

export interface SystemdNotifier {
  /** `READY=1`, `WATCHDOG=1`, `STOPPING=1`, `STATUS=…`; does nothing outside a `Type=notify` unit. */
  notify(...assignments: readonly string[]): void;
  /** How often the watchdog wants to hear of us; null: there is none. */
  readonly watchdogEveryMs: number | null;
}

export interface NotifierDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /** Told once where `systemd-notify` can't be run. */
  readonly onFailure: (error: Error) => void;
}

const TIMEOUT_MS = 5_000;

export const createSystemdNotifier = ({ env, pid, onFailure }: NotifierDeps): SystemdNotifier => {
  const socket = env['NOTIFY_SOCKET'];
  const watchdogUs = Number(env['WATCHDOG_USEC']);
  // sd_watchdog_enabled(3): meant for this process alone, and to be answered at half the interval.
  const watched =
    Number.isFinite(watchdogUs) &&
    watchdogUs > 0 &&
    (env['WATCHDOG_PID'] === undefined || env['WATCHDOG_PID'] === String(pid));
  let failed = false;
  return {
    watchdogEveryMs: socket !== undefined && watched ? Math.max(1_000, watchdogUs / 2_000) : null,
    notify: (...assignments) => {
      if (socket === undefined || socket === '') return;
      execFile(
        'systemd-notify',
        [`--pid=${pid}`, ...assignments],
        { env: { ...env }, timeout: TIMEOUT_MS },
        (error) => {
          if (error === null || failed) return;
          failed = true;
          onFailure(error);
        },
      );
    },
  };
};
