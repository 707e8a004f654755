/** What the parts of one run share while it is under way. */
import type { FindingStore } from '../../findings/store.ts';
import type { TranscriptStore } from '../agent/transcript-store.ts';
import type { InventoryStore } from '../evidence/inventory-store.ts';
import type { SampleStore } from '../evidence/sample-store.ts';
import type { SourceStore } from '../evidence/source-store.ts';
import type { VerdictStore } from '../evidence/verdict-store.ts';
import type { NamedThing } from '../model/aliases.ts';
import type { OpenedForRun } from '../model/model-opener.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Database } from '../runtime/database.ts';
import type { Logger } from '../runtime/logger.ts';
import type { OnRunEvent } from './events.ts';
import type { ModelPart } from './model-half/model-part.ts';
import type { RunRequest } from './queue.ts';
import type { RunStore } from './run-store.ts';
import type { PatrolSettings } from './settings.ts';
import type { StageRecorder } from './stage-recorder.ts';
import type { Detected } from './stages/detectors.ts';
import type { Surveyed } from './stages/survey.ts';

export interface RunDeps {
  readonly db: Database;
  readonly inventory: InventoryStore;
  readonly samples: SampleStore;
  readonly sources: SourceStore;
  readonly verdicts: VerdictStore;
  readonly findings: FindingStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runs: RunStore;
  /** As they are when the run begins. */
  readonly settings: () => PatrolSettings;
  /** Opens the configured model for one run; `names` are replaced before anything is sent, where the config says so. */
  readonly openModel: (settings: ModelSettings, names: () => readonly NamedThing[]) => Promise<OpenedForRun>;
  readonly transcripts: TranscriptStore;
  readonly onEvent: OnRunEvent;
  /** When another look can say more; null: at no known time. */
  readonly onRetryAt: (atMs: number | null) => void;
}

/** Found so far; null where the run has not come that far. */
export interface Progress {
  surveyed: Surveyed | null;
  detected: Detected | null;
  model: ModelPart | null;
  /** Findings in scope that a model was to assess, and did not. */
  unassessed: number;
}

export interface RunPass {
  readonly deps: RunDeps;
  readonly settings: PatrolSettings;
  readonly request: RunRequest;
  readonly runId: string;
  /** The run's one look at the wall clock. */
  readonly nowMs: number;
  readonly elapsedMs: () => number;
  readonly recorder: StageRecorder;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}
