/** The one word for people that stands for a run. */
import type { Severity } from '../../signals/detector.ts';
import type { Coverage } from './coverage.ts';

export const RUN_STATUSES = ['error', 'critical', 'issues_found', 'incomplete', 'healthy'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface StatusInput {
  readonly coverage: Coverage;
  /** Worst severity among the active findings in scope that count; null: none. */
  readonly worst: Severity | null;
  /** A stage of patrold itself failed. */
  readonly stageFailed: boolean;
  /** A configured model did not do its part. */
  readonly modelMissing: boolean;
}

/** The first that holds; never `healthy` when incomplete. */
export const statusOf = ({ coverage, worst, stageFailed, modelMissing }: StatusInput): RunStatus => {
  const { sources } = coverage;
  const nothingSurveyed = sources.length > 0 && sources.every(({ outcome }) => outcome === 'failed');
  if (stageFailed || nothingSurveyed) return 'error';
  if (worst === 'critical') return 'critical';
  if (worst === 'warning') return 'issues_found';
  const unseen = coverage.unobserved > 0 || sources.some(({ outcome }) => outcome === 'failed');
  return unseen || modelMissing ? 'incomplete' : 'healthy';
};
