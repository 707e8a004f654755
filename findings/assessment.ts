/** What a model said of a known finding in one run. It decides nothing: what a detector owns ends by its verdict alone. */
import type { EvidenceId } from '../signals/reading.ts';
import type { FindingId, RunId } from './finding.ts';

export const ASSESSMENTS = ['present', 'resolved', 'uncertain'] as const;
export type AssessmentVerdict = (typeof ASSESSMENTS)[number];

export interface Assessment {
  readonly findingId: FindingId;
  readonly runId: RunId;
  readonly episode: number;
  readonly verdict: AssessmentVerdict;
  readonly reason: string;
  readonly evidence: readonly EvidenceId[];
  /** The model. */
  readonly by: string | null;
  readonly atMs: number;
}
