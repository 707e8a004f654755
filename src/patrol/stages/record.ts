/**
 * The last stage, and the only one of the deterministic half that writes: inventory, samples, memories, findings and the
 * run's own end in one transaction. A run that is killed before it leaves nothing but its `interrupted` row.
 */
import type { Change } from '../../../findings/reconcile.ts';
import type { Filed, FindingStore } from '../../../findings/store.ts';
import type { Signal } from '../../../signals/detector.ts';
import { remember } from '../../../signals/history.ts';
import type { SourceId } from '../../../signals/resource.ts';
import type { InventoryStore } from '../../evidence/inventory-store.ts';
import type { Ledger } from '../../evidence/ledger.ts';
import type { NewSample, SampleStore } from '../../evidence/sample-store.ts';
import type { SourceStore } from '../../evidence/source-store.ts';
import type { VerdictStore } from '../../evidence/verdict-store.ts';
import type { Database } from '../../runtime/database.ts';
import type { Detected } from './detectors.ts';
import type { Surveyed } from './survey.ts';

export interface RecordDeps {
  readonly db: Database;
  readonly inventory: InventoryStore;
  readonly samples: SampleStore;
  readonly sources: SourceStore;
  readonly verdicts: VerdictStore;
  readonly findings: FindingStore;
}

export interface RecordInput {
  readonly runId: string;
  readonly nowMs: number;
  readonly surveyed: Surveyed;
  readonly detected: Detected;
  readonly signals: readonly Signal[];
  readonly changes: readonly Change[];
  readonly keepsHistory: (sourceId: SourceId) => boolean;
  /** Called last, within the transaction. */
  readonly finish: (recorded: Recorded) => void;
}

export interface Recorded {
  readonly filed: readonly Filed[];
  readonly resolved: number;
}

const samplesOf = ({ readings, series }: Ledger, keepsHistory: RecordInput['keepsHistory']): readonly NewSample[] =>
  readings
    .filter(({ sourceId }) => !keepsHistory(sourceId))
    .flatMap((reading) =>
      remember(reading)
        .filter(({ metric }) => series.get(reading.resourceId)?.has(metric) !== true)
        .map((remembered) => ({ ...remembered, resourceId: reading.resourceId, atMs: reading.takenAtMs })),
    );

const write = (deps: RecordDeps, input: RecordInput): Recorded => {
  const { runId, nowMs, surveyed, detected } = input;
  const { ledger, surveys, paces } = surveyed;
  const context = { nowMs, runId, readingOf: ledger.reading };
  for (const { from, into } of ledger.change.merged) {
    deps.findings.renameResource(from, into, context);
    deps.verdicts.rename(from, into);
  }
  deps.inventory.write(ledger.change, nowMs);
  const filed = deps.findings.fileBatch(input.signals, context);
  const resolved = deps.findings.apply(input.changes, context);
  deps.findings.refold(context, ledger.world.resources);
  deps.verdicts.write(detected.memories, detected.evaluation.verdicts, detected.evaluation.absent);
  deps.samples.write(samplesOf(ledger, input.keepsHistory));
  deps.sources.record(surveys, paces);
  const recorded = { filed, resolved };
  input.finish(recorded);
  return recorded;
};

export const recordStage = (deps: RecordDeps, input: RecordInput): Recorded =>
  deps.db.orm.transaction(() => write(deps, input), { behavior: 'immediate' });
