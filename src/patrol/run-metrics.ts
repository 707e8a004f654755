/** Metrics of runs: what was run, how long it took, what was seen, and when the next one is due. */
import { type Metrics, type Series, secondsOf } from '../runtime/metrics.ts';
import type { Coverage } from './coverage.ts';
import type { Timetable } from './due.ts';
import type { OnRunEvent, RunEvent } from './events.ts';
import { lastGoodAtMs, nextDueAtMs } from './last-good.ts';
import type { RunQueue } from './queue.ts';
import type { RunReport } from './report.ts';
import type { RunKind, RunRecord, StageRecord } from './run-record.ts';
import { createRunSeries, type RunSeries } from './run-series.ts';
import type { RunStore } from './run-store.ts';

export interface RunMetricsDeps {
  readonly metrics: Metrics;
  readonly runs: Pick<RunStore, 'lastGood' | 'quietWatches'>;
  readonly queue: Pick<RunQueue, 'depth'>;
  readonly timetable: () => Timetable;
  /** When this process began to be responsible for runs. */
  readonly startedAtMs: number;
}

const KINDS: readonly RunKind[] = ['patrol', 'watch'];

const setCoverage = ({ checks, resources }: RunSeries, coverage: Coverage): void => {
  const { raised, clear, unobserved, accepted, warmingUp, skipped } = coverage;
  const byState = { raised, clear, unobserved, accepted, warming_up: warmingUp, skipped };
  for (const [state, value] of Object.entries(byState)) checks.set({ state }, value);
  resources.set(coverage.resources);
};

type Started = Pick<RunRecord, 'kind' | 'scope'>;

const countRun = (series: RunSeries, run: RunReport['run']): void => {
  const { kind, trigger, status, state, durationMs, coverage, scope } = run;
  series.runs.inc({ kind, trigger, status: state === 'completed' ? (status ?? state) : state });
  if (durationMs !== null) series.runDuration.observe({ kind }, secondsOf(durationMs));
  if (coverage !== null && scope === null) setCoverage(series, coverage);
};

const countStage = ({ stages, stageDuration }: RunSeries, { name: stage, status, durationMs }: StageRecord): void => {
  stages.inc({ stage, status });
  if (status !== 'skipped') stageDuration.observe({ stage }, secondsOf(durationMs));
};

type VerdictsGiven = Extract<RunEvent, { readonly kind: 'verdicts_given' }>;

const countVerdicts = (
  series: RunSeries,
  run: Started | undefined,
  { tallies, failedDetectors }: VerdictsGiven,
): void => {
  for (const detector of failedDetectors) series.detectorFailures.inc({ detector });
  if (run === undefined || run.scope !== null) return;
  // A watch leaves out what is not due; what only patrols ask keeps its last answer until the next one.
  if (run.kind === 'patrol') series.verdicts.reset();
  for (const { detector, raised, clear, unobserved } of tallies) {
    for (const [state, value] of Object.entries({ raised, clear, unobserved }))
      series.verdicts.set({ detector, state }, value);
  }
};

const createCount = (series: RunSeries): OnRunEvent => {
  /** Runs that have begun and not ended: one, unless a process that executes them is replaced. */
  const underWay = new Map<string, Started>();
  return (event) => {
    switch (event.kind) {
      case 'run_started':
        underWay.set(event.runId, event.run);
        break;
      case 'stage_ended':
        countStage(series, event.stage);
        break;
      case 'verdicts_given':
        countVerdicts(series, underWay.get(event.runId), event);
        break;
      case 'signals_matched':
        series.signals.inc({ match: 'matched' }, event.matched);
        series.signals.inc({ match: 'unmatched' }, event.unmatched);
        break;
      case 'finding_changed':
        series.findingChanges.inc({ change: event.change.change });
        break;
      case 'run_ended':
        underWay.delete(event.runId);
        countRun(series, event.run);
        break;
      case 'stage_started':
      case 'source_surveyed':
        break;
    }
  };
};

const timestamps = function* (atMs: (kind: RunKind) => number | null): Generator<Series<'kind'>> {
  for (const kind of KINDS) {
    const ms = atMs(kind);
    if (ms !== null) yield { labels: { kind }, value: secondsOf(ms) };
  }
};

/** Finding the next event of a rare schedule takes a while, and the answer stays the same until the next good run. */
const createNextDue = (timetable: () => Timetable, startedAtMs: number) => {
  let asked: { readonly key: string; readonly timetable: Timetable; readonly atMs: number | null } | undefined;
  return (kind: RunKind, lastGood: number | null): number | null => {
    const now = timetable();
    if (kind === 'watch') return nextDueAtMs(now, kind, lastGood, startedAtMs);
    const key = `${now.patrol?.expression} ${now.patrol?.timeZone} ${lastGood}`;
    if (asked?.key !== key) asked = { key, timetable: now, atMs: nextDueAtMs(now, kind, lastGood, startedAtMs) };
    return asked.atMs;
  };
};

const addReadGauges = ({ metrics, runs, queue, timetable, startedAtMs }: RunMetricsDeps): void => {
  const nextDue = createNextDue(timetable, startedAtMs);
  metrics.addReadGauge({
    name: 'patrold_run_queue_depth',
    help: 'Requests for runs that wait',
    labelNames: [],
    read: () => [{ labels: {}, value: queue.depth() }],
  });
  metrics.addReadGauge({
    name: 'patrold_last_good_run_timestamp_seconds',
    help: 'Start of the newest run over everything that completed and could survey something; absent before there is one',
    labelNames: ['kind'],
    read: () => timestamps((kind) => lastGoodAtMs(runs, kind)),
  });
  metrics.addReadGauge({
    name: 'patrold_next_run_timestamp_seconds',
    help: 'When a run is due, reckoned from the last good one: in the past while it is overdue; absent if not scheduled',
    labelNames: ['kind'],
    read: () => timestamps((kind) => nextDue(kind, lastGoodAtMs(runs, kind))),
  });
};

export const createRunMetrics = (deps: RunMetricsDeps): OnRunEvent => {
  const series = createRunSeries(deps.metrics.registry);
  addReadGauges(deps);
  return createCount(series);
};
