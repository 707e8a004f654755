/** What happens during a run, as it happens: for a terminal now, for other listeners alike. */
import type { Survey } from '../../signals/survey.ts';
import type { LoopEvent } from '../agent/loop-event.ts';
import type { RunReport } from './report.ts';
import type { RunRecord, StageName, StageRecord } from './run-record.ts';
import type { VerdictTally } from './verdict-tally.ts';

export type RunEvent =
  | {
      readonly kind: 'run_started';
      readonly runId: string;
      readonly run: Pick<RunRecord, 'kind' | 'trigger' | 'scope'>;
    }
  | { readonly kind: 'stage_started'; readonly runId: string; readonly stage: StageName }
  | { readonly kind: 'source_surveyed'; readonly runId: string; readonly survey: SurveySummary }
  | { readonly kind: 'stage_ended'; readonly runId: string; readonly stage: StageRecord }
  | {
      readonly kind: 'verdicts_given';
      readonly runId: string;
      readonly tallies: readonly VerdictTally[];
      /** Detectors that threw, once for each resource. */
      readonly failedDetectors: readonly string[];
    }
  | { readonly kind: 'signals_matched'; readonly runId: string; readonly matched: number; readonly unmatched: number }
  /** What the model does, as it does it. */
  | { readonly kind: 'model_event'; readonly runId: string; readonly event: LoopEvent }
  /** Kept: the finding is in the database when this is said. */
  | { readonly kind: 'finding_changed'; readonly runId: string; readonly change: FindingChange }
  | { readonly kind: 'run_ended'; readonly runId: string; readonly run: RunReport['run']; readonly report: RunReport };

export interface SurveySummary extends Pick<Survey, 'sourceId' | 'outcome' | 'reason' | 'durationMs'> {
  readonly resources: number;
  readonly readings: number;
}

export interface FindingChange {
  readonly findingId: string;
  readonly resourceId: string;
  readonly key: string;
  readonly severity: string;
  /** The kind of its history row: `opened`, `worsened`, `cleared`. */
  readonly change: string;
  readonly summary: string;
}

export type OnRunEvent = (event: RunEvent) => void;
