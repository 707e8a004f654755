/** Runs the stages of one run: times them, records them as they end, and says so. */
import type { Clock } from '../runtime/clock.ts';
import type { OnRunEvent } from './events.ts';
import type { StageName, StageRecord } from './run-record.ts';
import type { RunStore } from './run-store.ts';

export interface StageDone<T> {
  readonly value: T;
  /** One line for people: `12 raised, 340 clear`. */
  readonly note: string | null;
}

export interface StageRecorder {
  run<T>(name: StageName, work: () => Promise<StageDone<T>> | StageDone<T>): Promise<T>;
  skip(name: StageName, reason: string): void;
  /** Writes what is not written yet; called in the transaction that ends the run. */
  flush(): void;
  readonly stages: readonly StageRecord[];
}

/** Stages that were shorter are written together with a later one: each commit waits for the disk. */
const WORTH_A_COMMIT_MS = 50;

export interface StageRecorderDeps {
  readonly clock: Clock;
  readonly runs: RunStore;
  readonly onEvent: OnRunEvent;
  readonly reasonOf: (error: unknown) => string;
}

export const createStageRecorder = (deps: StageRecorderDeps, runId: string, signal: AbortSignal): StageRecorder => {
  const { clock, runs, onEvent } = deps;
  const stages: StageRecord[] = [];
  let written = 0;
  const flush = (): void => {
    for (; written < stages.length; written += 1) {
      const stage = stages[written];
      if (stage !== undefined) runs.stage(runId, written + 1, stage);
    }
  };
  const record = (stage: StageRecord): void => {
    stages.push(stage);
    if (stage.durationMs >= WORTH_A_COMMIT_MS) flush();
    onEvent({ kind: 'stage_ended', runId, stage });
  };
  return {
    stages,
    flush,
    run: async (name, work) => {
      signal.throwIfAborted();
      onEvent({ kind: 'stage_started', runId, stage: name });
      const begun = clock.monotonicMs();
      const writtenBefore = written;
      const elapsed = (): number => clock.monotonicMs() - begun;
      try {
        const { value, note } = await work();
        record({ name, status: 'done', reason: note, durationMs: elapsed() });
        return value;
      } catch (error) {
        const stage: StageRecord = { name, status: 'failed', reason: deps.reasonOf(error), durationMs: elapsed() };
        // What the stage flushed in its transaction went with it.
        written = writtenBefore;
        // The store may be what failed: the stage is told to listeners even where it can't be written.
        stages.push(stage);
        onEvent({ kind: 'stage_ended', runId, stage });
        throw error;
      }
    },
    skip: (name, reason) => record({ name, status: 'skipped', reason, durationMs: 0 }),
  };
};
