/** Whoever wants to know about runs: told of each event, and once of what a run's detectors said. */
import type { Evaluation } from '../../signals/evaluate.ts';
import type { OnRunEvent } from './events.ts';
import type { RunKind } from './run-record.ts';
import type { Scope } from './scope.ts';

/** Verdicts of one detector in one run. */
export interface VerdictTally {
  readonly detector: string;
  readonly raised: number;
  readonly clear: number;
  readonly unobserved: number;
}

export interface RunSummary {
  readonly kind: RunKind;
  /** Null: the run looked at everything. */
  readonly scope: Scope | null;
  /** Of detectors that gave any, by name. */
  readonly verdicts: readonly VerdictTally[];
  /** Signals for which an active finding stood already. */
  readonly matched: number;
  /** Signals that became findings. */
  readonly unmatched: number;
  /** Detectors that threw, once for each resource. */
  readonly failedDetectors: readonly string[];
}

export interface RunObserver {
  readonly onRunEvent: OnRunEvent;
  readonly onRunSummary: (summary: RunSummary) => void;
}

export interface SummaryInput extends Pick<RunSummary, 'kind' | 'scope' | 'matched' | 'unmatched'> {
  readonly evaluation: Pick<Evaluation, 'verdicts' | 'failures'>;
}

export const summariseRun = ({ evaluation, ...rest }: SummaryInput): RunSummary => {
  const tallies = new Map<string, { raised: number; clear: number; unobserved: number }>();
  for (const { detector, state } of evaluation.verdicts) {
    const tally = tallies.get(detector) ?? { raised: 0, clear: 0, unobserved: 0 };
    tally[state] += 1;
    tallies.set(detector, tally);
  }
  const verdicts = [...tallies].map(([detector, tally]) => ({ detector, ...tally }));
  return {
    ...rest,
    verdicts: verdicts.toSorted((a, b) => (a.detector < b.detector ? -1 : 1)),
    failedDetectors: evaluation.failures.map(({ detector }) => detector),
  };
};
