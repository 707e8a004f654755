/** The patrol service: holds the lease, asks for runs when they are due, and executes whatever the queue holds. */
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Due } from './due.ts';
import { HEARTBEAT_EVERY_MS, type Lease } from './lease.ts';
import type { Worker } from './worker.ts';

/** How often the queue and the clock are looked at. */
export const TICK_MS = 1_000;
/** Upkeep of the database: soon after the start, then daily. */
const UPKEEP_AFTER_MS = 60_000;
const UPKEEP_EVERY_MS = 24 * 3_600_000;
/** One pass forgets only so much, so that runs do not wait for it. */
const UPKEEP_AGAIN_MS = 10_000;

export interface DaemonDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lease: Lease;
  readonly worker: Worker;
  readonly due: Due;
  /** True: there is more to do. */
  readonly upkeep: (nowMs: number) => boolean;
  /** Called once a tick that could do its work, for watchdogs. */
  readonly onTick: () => void;
}

export interface Daemon {
  /** Resolves when `stop` aborted and the run under way, if any, has ended; `abort` ends that run too. */
  run(stop: AbortSignal, abort: AbortSignal): Promise<void>;
  readonly holdsLease: boolean;
}

export const createDaemon = ({ clock, logger, lease, worker, due, upkeep, onTick }: DaemonDeps): Daemon => {
  let holdsLease = false;
  let beatAtMs = 0;
  let upkeepAtMs = 0;
  let hasStarted = false;
  let hasFailed = false;
  let waits = false;

  const acquire = (nowMs: number): void => {
    holdsLease = lease.acquire(nowMs);
    if (holdsLease && waits) logger.info('the other patrold is gone: this one executes runs now');
    if (!holdsLease && !waits) logger.info('another patrold executes runs on this data directory: waiting for its end');
    waits = !holdsLease;
    if (!holdsLease) return;
    beatAtMs = nowMs;
    worker.recover();
  };
  const keepLease = (nowMs: number): void => {
    if (!holdsLease) {
      acquire(nowMs);
      return;
    }
    if (Math.abs(nowMs - beatAtMs) < HEARTBEAT_EVERY_MS) return;
    holdsLease = lease.heartbeat(nowMs);
    beatAtMs = nowMs;
    if (!holdsLease) logger.warn('the lease was lost: another process executes runs');
  };
  const tick = async (stop: AbortSignal, abort: AbortSignal): Promise<void> => {
    const nowMs = clock.nowMs();
    if (!hasStarted) due.start(nowMs);
    hasStarted = true;
    keepLease(nowMs);
    if (!holdsLease) return;
    // What could not be finished when the last tick failed is not under way any more.
    if (hasFailed) worker.recover();
    hasFailed = false;
    due.ask(nowMs);
    if (nowMs >= upkeepAtMs) {
      upkeepAtMs = nowMs + UPKEEP_EVERY_MS;
      if (upkeep(nowMs)) upkeepAtMs = nowMs + UPKEEP_AGAIN_MS;
    }
    while (!stop.aborted && (await worker.next(abort)) !== null);
    due.resume(clock.nowMs());
  };

  return {
    run: async (stop, abort) => {
      upkeepAtMs = clock.nowMs() + UPKEEP_AFTER_MS;
      while (!stop.aborted) {
        try {
          await tick(stop, abort);
          onTick();
        } catch (error) {
          // A full disk or a locked database passes; the daemon stays, and says so at every tick that fails.
          hasFailed = true;
          logger.error({ err: error }, 'the patrol service could not do its work');
        }
        await clock.sleep(TICK_MS, stop).catch(() => undefined);
      }
      if (holdsLease) lease.release();
    },
    get holdsLease() {
      return holdsLease;
    },
  };
};
