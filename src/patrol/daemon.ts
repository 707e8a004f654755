/** The patrol service: asks for runs when they are due, and executes whatever the queue holds. */
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { HEARTBEAT_EVERY_MS, type Lease } from './lease.ts';
import type { RunQueue } from './queue.ts';
import type { RunKind, Trigger } from './run-record.ts';
import type { RunStore } from './run-store.ts';
import type { CronSchedule } from './schedule.ts';
import type { Worker } from './worker.ts';

/** How often the queue and the clock are looked at. */
export const TICK_MS = 1_000;
/** A wall clock that moved further than this between two ticks was set: due times are found anew. */
const CLOCK_JUMP_MS = 60_000;
/** Upkeep of the database: once a day, and soon after the start. */
const UPKEEP_EVERY_MS = 24 * 3_600_000;

export interface Timetable {
  /** Null: no patrols by schedule. */
  readonly patrol: CronSchedule | null;
  /** Null: no watches. */
  readonly watchEveryMs: number | null;
}

export interface DaemonDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queue: RunQueue;
  readonly runs: RunStore;
  readonly lease: Lease;
  readonly worker: Worker;
  readonly timetable: () => Timetable;
  /** When the last run found that another look can say more; null: nothing waits. */
  readonly retryAtMs: () => number | null;
  readonly upkeep: (nowMs: number) => void;
}

export interface NextRuns {
  readonly patrolAtMs: number | null;
  readonly watchAtMs: number | null;
}

export interface Daemon {
  /** Resolves when `signal` aborted and the run under way has ended. */
  run(signal: AbortSignal): Promise<void>;
  readonly next: NextRuns;
  readonly holdsLease: boolean;
  /** After a reload: due times are found anew. */
  retime(): void;
}

interface Due {
  patrolAtMs: number | null;
  watchAtMs: number | null;
  upkeepAtMs: number;
  lastTickAtMs: number;
}

export const createDaemon = (deps: DaemonDeps): Daemon => {
  const { clock, logger, queue, runs, lease, worker } = deps;
  const due: Due = { patrolAtMs: null, watchAtMs: null, upkeepAtMs: 0, lastTickAtMs: clock.nowMs() };
  const held = { lease: false, beatAtMs: 0 };

  const ask = (kind: RunKind, trigger: Trigger, nowMs: number): void => {
    const id = queue.add({ kind, trigger, scope: null }, nowMs);
    logger.debug({ kind, trigger, request: id }, 'run asked for');
  };
  const retime = (nowMs: number): void => {
    const { patrol, watchEveryMs } = deps.timetable();
    due.patrolAtMs = patrol?.nextAfter(nowMs) ?? null;
    due.watchAtMs = watchEveryMs === null ? null : nowMs + watchEveryMs;
  };
  /** The last good patrol is older than its interval: it was missed while nobody was there. */
  const catchUp = (nowMs: number): void => {
    const { patrol, watchEveryMs } = deps.timetable();
    const last = runs.lastGood('patrol');
    const missed =
      patrol !== null && (last === null || (patrol.nextAfter(last.startedAtMs) ?? Number.POSITIVE_INFINITY) <= nowMs);
    if (missed) ask('patrol', 'catch_up', nowMs);
    else if (watchEveryMs !== null) ask('watch', 'catch_up', nowMs);
  };
  const askForDue = (nowMs: number): void => {
    const { patrol, watchEveryMs } = deps.timetable();
    if (due.patrolAtMs !== null && nowMs >= due.patrolAtMs) {
      ask('patrol', 'schedule', nowMs);
      due.patrolAtMs = patrol?.nextAfter(nowMs) ?? null;
    }
    const retryAtMs = deps.retryAtMs();
    const warm = retryAtMs !== null && nowMs >= retryAtMs;
    if (due.watchAtMs !== null && watchEveryMs !== null && (nowMs >= due.watchAtMs || warm)) {
      ask('watch', nowMs >= due.watchAtMs ? 'schedule' : 'warm_up', nowMs);
      due.watchAtMs = nowMs + watchEveryMs;
    }
  };
  const keepLease = (nowMs: number): boolean => {
    if (!held.lease) {
      held.lease = lease.acquire(nowMs);
      if (held.lease) worker.recover();
      return held.lease;
    }
    if (Math.abs(nowMs - held.beatAtMs) >= HEARTBEAT_EVERY_MS) {
      held.lease = lease.heartbeat(nowMs);
      held.beatAtMs = nowMs;
      if (!held.lease) logger.warn('the lease was lost: another process executes runs');
    }
    return held.lease;
  };
  const tick = async (signal: AbortSignal): Promise<void> => {
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - due.lastTickAtMs) > CLOCK_JUMP_MS) {
      logger.warn(
        { byMs: nowMs - due.lastTickAtMs },
        'the clock jumped, or the machine slept: due times are found anew',
      );
      catchUp(nowMs);
      retime(nowMs);
    }
    due.lastTickAtMs = nowMs;
    if (!keepLease(nowMs)) return;
    askForDue(nowMs);
    if (nowMs >= due.upkeepAtMs) {
      deps.upkeep(nowMs);
      due.upkeepAtMs = nowMs + UPKEEP_EVERY_MS;
    }
    while (!signal.aborted && (await worker.next(signal)) !== null);
    due.lastTickAtMs = clock.nowMs();
  };
  const start = (nowMs: number): void => {
    due.lastTickAtMs = nowMs;
    due.upkeepAtMs = nowMs + 60_000;
    catchUp(nowMs);
    retime(nowMs);
  };

  return {
    run: async (signal) => {
      start(clock.nowMs());
      while (!signal.aborted) {
        try {
          await tick(signal);
        } catch (error) {
          // A full disk or a locked database passes; the daemon stays and says so at every tick that fails.
          logger.error({ err: error }, 'the patrol service could not do its work');
        }
        await clock.sleep(TICK_MS, signal).catch(() => undefined);
      }
      if (held.lease) lease.release();
    },
    get next() {
      return { patrolAtMs: due.patrolAtMs, watchAtMs: due.watchAtMs };
    },
    get holdsLease() {
      return held.lease;
    },
    retime: () => retime(clock.nowMs()),
  };
};
