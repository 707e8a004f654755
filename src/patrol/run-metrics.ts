/** Metrics of runs: what was run, how long it took, what was seen, and when the next one is due. */
import { Counter, Gauge, Histogram, type Metrics, type Registry, type Series, secondsOf } from '../runtime/metrics.ts';
import type { Coverage } from './coverage.ts';
import type { Timetable } from './due.ts';
import type { RunEvent } from './events.ts';
import { lastGoodAtMs, nextDueAtMs } from './last-good.ts';
import type { RunQueue } from './queue.ts';
import type { RunObserver, RunSummary } from './run-observer.ts';
import type { RunKind, RunRecord } from './run-record.ts';
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

/** From a watch of one machine to a patrol that a model takes part in. */
const RUN_BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1800];
const STAGE_BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30, 60, 300, 900];

/** Durations, outcomes and tallies, from what runs say of themselves. */
const createSeries = (registry: Registry) => {
  const registers = [registry];
  return {
    runs: new Counter({
      name: 'patrold_runs_total',
      help: 'Runs that ended, by kind, trigger, and status (by state for those that ended without one)',
      labelNames: ['kind', 'status', 'trigger'],
      registers,
    }),
    runDuration: new Histogram({
      name: 'patrold_run_duration_seconds',
      help: 'How long runs took',
      labelNames: ['kind'],
      buckets: RUN_BUCKETS_SECONDS,
      registers,
    }),
    stages: new Counter({
      name: 'patrold_stages_total',
      help: 'Stages of runs, by how they ended',
      labelNames: ['stage', 'status'],
      registers,
    }),
    stageDuration: new Histogram({
      name: 'patrold_stage_duration_seconds',
      help: 'How long stages of runs took; skipped ones are not in it',
      labelNames: ['stage'],
      buckets: STAGE_BUCKETS_SECONDS,
      registers,
    }),
    checks: new Gauge({
      name: 'patrold_checks',
      help: 'Checks of the last run over everything: raised, clear, unobserved, accepted as a gap, warming up, skipped',
      labelNames: ['state'],
      registers,
    }),
    resources: new Gauge({
      name: 'patrold_resources',
      help: 'Resources that the last run over everything knew of',
      registers,
    }),
    verdicts: new Gauge({
      name: 'patrold_verdicts',
      help: 'Verdicts of each detector in the last run over everything in which it gave any',
      labelNames: ['detector', 'state'],
      registers,
    }),
    detectorFailures: new Counter({
      name: 'patrold_detector_failures_total',
      help: 'Times that a detector failed on a resource: a defect of patrold',
      labelNames: ['detector'],
      registers,
    }),
    signals: new Counter({
      name: 'patrold_signals_total',
      help: 'Signals that detectors raised, by whether a finding stood for them already',
      labelNames: ['match'],
      registers,
    }),
    findingChanges: new Counter({
      name: 'patrold_finding_changes_total',
      help: 'Changes that runs made to findings, by the kind of their history row',
      labelNames: ['change'],
      registers,
    }),
  };
};

type RunSeries = ReturnType<typeof createSeries>;

const setCoverage = ({ checks, resources }: RunSeries, coverage: Coverage): void => {
  const { raised, clear, unobserved, accepted, warmingUp, skipped } = coverage;
  const byState = { raised, clear, unobserved, accepted, warming_up: warmingUp, skipped };
  for (const [state, value] of Object.entries(byState)) checks.set({ state }, value);
  resources.set(coverage.resources);
};

const countRun = (series: RunSeries, run: RunRecord): void => {
  const { kind, trigger, status, state, durationMs, coverage, scope } = run;
  series.runs.inc({ kind, trigger, status: status ?? state });
  if (durationMs !== null) series.runDuration.observe({ kind }, secondsOf(durationMs));
  if (coverage !== null && scope === null) setCoverage(series, coverage);
};

const countEvent = (series: RunSeries, event: RunEvent): void => {
  switch (event.kind) {
    case 'stage_ended': {
      const { name: stage, status, durationMs } = event.stage;
      series.stages.inc({ stage, status });
      if (status !== 'skipped') series.stageDuration.observe({ stage }, secondsOf(durationMs));
      return;
    }
    case 'finding_changed':
      return series.findingChanges.inc({ change: event.change.change });
    case 'run_ended':
      return countRun(series, event.run);
    case 'run_started':
    case 'stage_started':
    case 'source_surveyed':
      return;
  }
};

const countSummary = (
  series: RunSeries,
  { kind, scope, verdicts, matched, unmatched, failedDetectors }: RunSummary,
): void => {
  series.signals.inc({ match: 'matched' }, matched);
  series.signals.inc({ match: 'unmatched' }, unmatched);
  for (const detector of failedDetectors) series.detectorFailures.inc({ detector });
  if (scope !== null) return;
  // A watch leaves out what is not due; what only patrols ask keeps its last answer until the next one.
  if (kind === 'patrol') series.verdicts.reset();
  for (const { detector, raised, clear, unobserved } of verdicts) {
    for (const [state, value] of Object.entries({ raised, clear, unobserved }))
      series.verdicts.set({ detector, state }, value);
  }
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

export const createRunMetrics = (deps: RunMetricsDeps): RunObserver => {
  const series = createSeries(deps.metrics.registry);
  addReadGauges(deps);
  return {
    onRunEvent: (event) => countEvent(series, event),
    onRunSummary: (summary) => countSummary(series, summary),
  };
};
