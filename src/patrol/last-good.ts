/** When things last went well, and from then on when the next run is due: what "overdue" is told by. */
import type { Timetable } from './due.ts';
import type { RunKind } from './run-record.ts';
import type { RunStore } from './run-store.ts';

type Runs = Pick<RunStore, 'lastGood' | 'quietWatches'>;

const startOf = (runs: Runs, kind: RunKind): number => runs.lastGood(kind)?.startedAtMs ?? Number.NEGATIVE_INFINITY;

/** A watch that changed nothing is kept as a count alone; and a patrol does all that a watch does. */
const lastWatch = (runs: Runs): number => {
  const quiet = runs.quietWatches()[0];
  const quietAtMs = quiet === undefined || quiet.lastStatus === 'error' ? Number.NEGATIVE_INFINITY : quiet.lastAtMs;
  return Math.max(startOf(runs, 'watch'), startOf(runs, 'patrol'), quietAtMs);
};

/** Start of the newest run of that kind over everything that completed and could survey something; null: none yet. */
export const lastGoodAtMs = (runs: Runs, kind: RunKind): number | null => {
  const atMs = kind === 'patrol' ? startOf(runs, 'patrol') : lastWatch(runs);
  return Number.isFinite(atMs) ? atMs : null;
};

/**
 * When a run of that kind is due, reckoned from the last good one (or from `sinceMs`, where there was none): it lies in
 * the past as long as that run is overdue, because it was missed, fails, or can see nothing. Null: not scheduled.
 */
export const nextDueAtMs = (
  timetable: Timetable,
  kind: RunKind,
  lastGood: number | null,
  sinceMs: number,
): number | null => {
  const fromMs = lastGood ?? sinceMs;
  if (kind === 'patrol') return timetable.patrol?.nextAfter(fromMs) ?? null;
  return timetable.watchEveryMs === null ? null : fromMs + timetable.watchEveryMs;
};
