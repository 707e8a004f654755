/** Everything that is kept, over one database. */
import { createFindingStore, type FindingStore } from '../../findings/store.ts';
import { createTranscriptStore, type TranscriptStore } from '../agent/transcript-store.ts';
import { createInventoryStore, type InventoryStore } from '../evidence/inventory-store.ts';
import { createSampleStore, type SampleStore } from '../evidence/sample-store.ts';
import { createSourceStore, type SourceStore } from '../evidence/source-store.ts';
import { createVerdictStore, type VerdictStore } from '../evidence/verdict-store.ts';
import { createSpendingStore, type SpendingStore } from '../model/spending-store.ts';
import { createRunQueue, type RunQueue } from '../patrol/queue.ts';
import { createRunStore, type RunStore } from '../patrol/run-store.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Database } from '../runtime/database.ts';
import type { NewId } from '../runtime/ids.ts';

export interface OpenStores {
  readonly db: Database;
  readonly findings: FindingStore;
  readonly inventory: InventoryStore;
  readonly samples: SampleStore;
  readonly verdicts: VerdictStore;
  readonly sources: SourceStore;
  readonly runs: RunStore;
  readonly queue: RunQueue;
  readonly transcripts: TranscriptStore;
  readonly spending: SpendingStore;
}

export const openStores = (db: Database, newId: NewId, detectorTypes: ReadonlySet<string>): OpenStores => ({
  db,
  findings: createFindingStore({ db, newId, detectorTypes }),
  inventory: createInventoryStore(db),
  samples: createSampleStore(db),
  verdicts: createVerdictStore(db),
  sources: createSourceStore(db),
  runs: createRunStore(db),
  queue: createRunQueue(db, newId),
  transcripts: createTranscriptStore(db, systemClock),
  spending: createSpendingStore(db),
});
