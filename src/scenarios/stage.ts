/** Where a scenario is played: recorded sources, a database in memory, a clock that moves when told. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createFindingStore, type FindingStore } from '../../findings/store.ts';
import type { AnyDetector } from '../../signals/detector.ts';
import { createTranscriptStore } from '../agent/transcript-store.ts';
import { createInventoryStore } from '../evidence/inventory-store.ts';
import { createSampleStore } from '../evidence/sample-store.ts';
import { createSourceStore } from '../evidence/source-store.ts';
import { createVerdictStore } from '../evidence/verdict-store.ts';
import type { RunReport } from '../patrol/report.ts';
import { executeRun } from '../patrol/run.ts';
import type { RunDeps } from '../patrol/run-pass.ts';
import type { RunKind } from '../patrol/run-record.ts';
import { createRunStore } from '../patrol/run-store.ts';
import type { PatrolSettings } from '../patrol/settings.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Database, openVolatileDatabase } from '../runtime/database.ts';
import { createIds } from '../runtime/ids.ts';
import { createLogger, type Logger } from '../runtime/logger.ts';
import type { SourceState } from '../sources/source.ts';

/** Pauses between two looks are this long at most. */
const LONGEST_PAUSE_MS = 2_000;
/** A longer sleep watches over something that may hang. What has not answered by then, of a recording, never will. */
const HANGS_AFTER_MS = 2_000;

/** A clock that moves by itself only while something sleeps, and then at once. */
export interface StageClock extends Clock {
  advance(ms: number): void;
}

export const createStageClock = (startAtMs: number): StageClock => {
  let elapsedMs = 0;
  return {
    nowMs: () => startAtMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      if (ms > LONGEST_PAUSE_MS) await wait(HANGS_AFTER_MS, undefined, { signal });
      elapsedMs += Math.max(0, ms);
    },
    advance: (ms) => {
      elapsedMs += ms;
    },
  };
};

export interface Stage {
  readonly clock: StageClock;
  readonly logger: Logger;
  readonly findings: FindingStore;
  readonly directory: string;
  stateOf(sourceId: string): SourceState;
  run(kind: RunKind, settings: PatrolSettings): Promise<RunReport>;
  close(): void;
}

export interface StageOptions {
  readonly startAtMs: number;
  readonly detectors: readonly AnyDetector[];
  /** Opens the model that scenarios are played with; absent: they are played without. */
  readonly openModel?: RunDeps['openModel'];
}

const noModel: RunDeps['openModel'] = () => Promise.reject(new TypeError('this stage has no model'));

export const openStage = ({ startAtMs, detectors, openModel = noModel }: StageOptions): Stage => {
  const directory = mkdtempSync(join(tmpdir(), 'patrold-scenario-'));
  const db: Database = openVolatileDatabase();
  const clock = createStageClock(startAtMs);
  const logger = createLogger({ level: 'silent', clock });
  const newId = createIds(clock.nowMs);
  const findings = createFindingStore({ db, newId, detectorTypes: new Set(detectors.map(({ type }) => type)) });
  const stores = {
    db,
    findings,
    inventory: createInventoryStore(db),
    samples: createSampleStore(db),
    verdicts: createVerdictStore(db),
    sources: createSourceStore(db),
    runs: createRunStore(db),
    transcripts: createTranscriptStore(db, clock),
    openModel,
  };
  const ignore = (): void => undefined;
  return {
    clock,
    logger,
    findings,
    directory,
    stateOf: stores.sources.stateOf,
    run: (kind, settings) => {
      const deps = { ...stores, clock, logger, settings: () => settings, onEvent: ignore, onRetryAt: ignore };
      return executeRun(
        deps,
        { id: newId(), kind, trigger: 'manual', scope: null },
        newId(),
        new AbortController().signal,
      );
    },
    close: () => {
      db.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
