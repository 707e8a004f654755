/** What the detectors of a run said, counted: for whoever watches runs from outside. */
import type { Evaluation } from '../../signals/evaluate.ts';

/** Verdicts of one detector in one run. */
export interface VerdictTally {
  readonly detector: string;
  readonly raised: number;
  readonly clear: number;
  readonly unobserved: number;
}

/** Of the detectors that gave any verdict, by name. */
export const tallyVerdicts = ({ verdicts }: Pick<Evaluation, 'verdicts'>): readonly VerdictTally[] => {
  const tallies = new Map<string, { raised: number; clear: number; unobserved: number }>();
  for (const { detector, state } of verdicts) {
    const tally = tallies.get(detector) ?? { raised: 0, clear: 0, unobserved: 0 };
    tally[state] += 1;
    tallies.set(detector, tally);
  }
  return [...tallies]
    .map(([detector, tally]) => ({ detector, ...tally }))
    .toSorted((a, b) => (a.detector < b.detector ? -1 : 1));
};
