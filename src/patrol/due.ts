/** When the next runs are due, and asking for them then: schedules, catch-up, windows that have filled. */
import { PatroldError } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { RunQueue } from './queue.ts';
import type { RunKind, Trigger } from './run-record.ts';
import type { RunStore } from './run-store.ts';
import type { CronSchedule } from './schedule.ts';

/** Other looks at windows that have filled come no closer together: what can't be judged then is not asked each second. */
const WARM_UP_APART_MS = 60_000;

/** A wall clock that moved further than this between two looks was set, or the machine slept. */
const CLOCK_JUMP_MS = 60_000;

export interface Timetable {
  /** Null: no patrols by schedule. */
  readonly patrol: CronSchedule | null;
  /** Null: no watches. */
  readonly watchEveryMs: number | null;
}

export interface DueDeps {
  readonly logger: Logger;
  readonly queue: RunQueue;
  readonly runs: RunStore;
  readonly timetable: () => Timetable;
  /** When the last run found that another look can say more; null: nothing waits. */
  readonly retryAtMs: () => number | null;
}

export interface NextRuns {
  readonly patrolAtMs: number | null;
  readonly watchAtMs: number | null;
}

export interface Due {
  start(nowMs: number): void;
  /** Asks for what is due by now. */
  ask(nowMs: number): void;
  /** A run ended: the time that it took is no jump of the clock. */
  resume(nowMs: number): void;
  retime(nowMs: number): void;
  readonly next: NextRuns;
}

export const createDue = ({ logger, queue, runs, timetable, retryAtMs }: DueDeps): Due => {
  let next: NextRuns = { patrolAtMs: null, watchAtMs: null };
  let lastLookAtMs = 0;
  let lastWatchAtMs = Number.NEGATIVE_INFINITY;

  /** False: the queue is full, and whoever holds it up has to be served first. It stays due. */
  const request = (kind: RunKind, trigger: Trigger, nowMs: number): boolean => {
    try {
      const id = queue.add({ kind, trigger, scope: null }, nowMs);
      logger.debug({ kind, trigger, request: id }, 'run asked for');
    } catch (error) {
      if (!(error instanceof PatroldError && error.code === 'queue_full')) throw error;
      logger.warn({ kind, trigger, err: error }, 'a run that is due has to wait until others have been made');
      return false;
    }
    if (kind === 'watch') lastWatchAtMs = nowMs;
    return true;
  };
  const retime = (nowMs: number): void => {
    const { patrol, watchEveryMs } = timetable();
    next = {
      patrolAtMs: patrol?.nextAfter(nowMs) ?? null,
      watchAtMs: watchEveryMs === null ? null : nowMs + watchEveryMs,
    };
  };
  /** A last good patrol that is older than its interval was missed while nobody was there. */
  const catchUp = (nowMs: number): void => {
    const { patrol, watchEveryMs } = timetable();
    const last = runs.lastGood('patrol');
    const missed =
      patrol !== null && (last === null || (patrol.nextAfter(last.startedAtMs) ?? Number.POSITIVE_INFINITY) <= nowMs);
    if (missed) request('patrol', 'catch_up', nowMs);
    else if (watchEveryMs !== null) request('watch', 'catch_up', nowMs);
  };
  const begin = (nowMs: number): void => {
    lastLookAtMs = nowMs;
    catchUp(nowMs);
    retime(nowMs);
  };
  return {
    start: begin,
    resume: (nowMs) => {
      lastLookAtMs = nowMs;
    },
    retime,
    ask: (nowMs) => {
      const byMs = nowMs - lastLookAtMs;
      lastLookAtMs = nowMs;
      if (Math.abs(byMs) > CLOCK_JUMP_MS) {
        logger.warn({ byMs }, 'the clock jumped, or the machine slept: due times are found anew');
        begin(nowMs);
        return;
      }
      const { patrol, watchEveryMs } = timetable();
      if (next.patrolAtMs !== null && nowMs >= next.patrolAtMs) {
        if (request('patrol', 'schedule', nowMs)) next = { ...next, patrolAtMs: patrol?.nextAfter(nowMs) ?? null };
      }
      const isDue = next.watchAtMs !== null && nowMs >= next.watchAtMs;
      const retry = retryAtMs();
      const rested = Math.abs(nowMs - lastWatchAtMs) >= WARM_UP_APART_MS;
      const hasFilled = retry !== null && nowMs >= retry && watchEveryMs !== null && rested;
      if ((isDue || hasFilled) && request('watch', isDue ? 'schedule' : 'warm_up', nowMs)) {
        next = { ...next, watchAtMs: watchEveryMs === null ? null : nowMs + watchEveryMs };
      }
    },
    get next() {
      return next;
    },
  };
};
