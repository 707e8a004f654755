/** The metrics that runs feed: each with its name, help and labels. */
import { Counter, Gauge, Histogram, type Registry } from '../runtime/metrics.ts';

/** From a watch of one machine to a patrol that a model takes part in. */
const RUN_BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1800];
const STAGE_BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30, 60, 300, 900];

export const createRunSeries = (registry: Registry) => {
  const registers = [registry];
  return {
    runs: new Counter({
      name: 'patrold_runs_total',
      help: 'Runs that ended, by kind, trigger, and status; those that did not complete by their state',
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

export type RunSeries = ReturnType<typeof createRunSeries>;
