/** What a run saw and did not see. */
import type { UnobservedCode, Verdict } from '../../signals/detector.ts';
import type { Evaluation } from '../../signals/evaluate.ts';
import type { Survey } from '../../signals/survey.ts';

export interface Coverage {
  readonly raised: number;
  readonly clear: number;
  /** Without those that are accepted, warming up or waiting for a second look. */
  readonly unobserved: number;
  readonly accepted: number;
  readonly warmingUp: number;
  readonly skipped: number;
  readonly resources: number;
  readonly sources: readonly SourceCoverage[];
}

export interface SourceCoverage {
  readonly sourceId: string;
  readonly outcome: Survey['outcome'];
  readonly reason: string | null;
  readonly durationMs: number;
}

/** A gap that the operator accepted by name, in the config's `accept:`; an absent criterion matches everything. */
export interface AcceptedGap {
  readonly detector?: string;
  readonly resource?: string;
  readonly source?: string;
}

/** These pass by themselves and are evaluated again when they have. */
export const isPassing = (code: UnobservedCode): boolean => code === 'warming_up' || code === 'confirming';

export type IsAccepted = (verdict: Verdict) => boolean;

export interface CoverageInput {
  readonly evaluation: Evaluation;
  readonly surveys: readonly Survey[];
  readonly resources: number;
  readonly isAccepted: IsAccepted;
}

export const coverageOf = ({ evaluation, surveys, resources, isAccepted }: CoverageInput): Coverage => {
  const counts = { raised: 0, clear: 0, unobserved: 0, accepted: 0, warmingUp: 0 };
  for (const verdict of evaluation.verdicts) {
    if (verdict.state !== 'unobserved') counts[verdict.state] += 1;
    else if (isPassing(verdict.code)) counts.warmingUp += 1;
    else if (isAccepted(verdict)) counts.accepted += 1;
    else counts.unobserved += 1;
  }
  return {
    ...counts,
    skipped: evaluation.skipped.length,
    resources,
    sources: surveys.map(({ sourceId, outcome, reason, durationMs }) => ({ sourceId, outcome, reason, durationMs })),
  };
};
