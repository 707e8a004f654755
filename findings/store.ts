/** The store of findings: everything that is asked of them and done to them, in short transactions. */
import type { Resource, ResourceId } from '../signals/resource.ts';
import type { Database } from '../src/runtime/database.ts';
import type { NewId } from '../src/runtime/ids.ts';
import { fold } from './fold.ts';
import { createHistory } from './history.ts';
import { placesOf } from './places.ts';
import { defaultRetention, type RetentionLimits } from './retention.ts';
import { type AssessmentDesk, createAssessmentDesk } from './storage/assessment-desk.ts';
import { type Applied, type ChangeDesk, createChangeDesk } from './storage/change-desk.ts';
import type { RunContext } from './storage/context.ts';
import { createFilingDesk, type FilingDesk } from './storage/filing-desk.ts';
import { createFindingCounter, type FindingCounter } from './storage/finding-counter.ts';
import { createFindingIds } from './storage/finding-ids.ts';
import { createFindingList, type FindingList } from './storage/finding-list.ts';
import { createFindingPruner, type Pruned } from './storage/finding-pruner.ts';
import { createFindingReader, type FindingReader } from './storage/finding-reader.ts';
import { createFindingWriter } from './storage/finding-writer.ts';
import { createOperatorStateStore, type OperatorStateStore } from './storage/operator-state-store.ts';
import { createOperatorStateTable } from './storage/operator-state-table.ts';
import { createRequestLog } from './storage/request-log.ts';
import { createResourceRename } from './storage/resource-rename.ts';
import { createSuppressionDesk, type SuppressionDesk } from './storage/suppression-desk.ts';
import { createSuppressionTable } from './storage/suppression-table.ts';
import { inTransaction } from './storage/transaction.ts';
import { createVerbDesk, type VerbDesk } from './storage/verb-desk.ts';

export type { Applied } from './storage/change-desk.ts';
export type { Filed } from './storage/filing-desk.ts';
export type { FindingDetails } from './storage/finding-reader.ts';
export type { OperatorStateStore } from './storage/operator-state-store.ts';

export interface FindingStore
  extends FilingDesk,
    ChangeDesk,
    AssessmentDesk,
    VerbDesk,
    SuppressionDesk,
    FindingReader,
    FindingList,
    Pick<FindingCounter, 'counts'> {
  /** Folds the active findings under what is lost now, and unfolds what no longer follows from anything. */
  refold(context: RunContext, resources: readonly Resource[]): Applied;
  /** Two resources proved to be one, or one got another id: everything about it moves, with its history. */
  renameResource(from: ResourceId, into: ResourceId, context: RunContext): void;
  /** Forgets what has been over for long enough. */
  prune(nowMs: number, limits?: RetentionLimits): Pruned;
  readonly operatorStates: OperatorStateStore;
}

export interface FindingStoreDeps {
  readonly db: Database;
  readonly newId: NewId;
  /** Types of every detector there is: keys that begin with one belong to it. */
  readonly detectorTypes: ReadonlySet<string>;
}

export const createFindingStore = ({ db, newId, detectorTypes }: FindingStoreDeps): FindingStore => {
  const transact = inTransaction(db);
  const writer = createFindingWriter(db, createHistory(db));
  const ids = createFindingIds(db);
  const requests = createRequestLog(db);
  const suppressions = createSuppressionTable(db);
  const operatorStates = createOperatorStateStore({ table: createOperatorStateTable(db), transact, requests });
  const counter = createFindingCounter(db);
  const changes = createChangeDesk(transact, writer);
  const prune = createFindingPruner({ db, transact, ids, requests, suppressions });
  return {
    ...createFilingDesk({ transact, writer, suppressions, newId, detectorTypes }),
    ...changes,
    ...createAssessmentDesk({ db, transact, writer, ids }),
    ...createVerbDesk({ transact, writer, ids, requests }),
    ...createSuppressionDesk({ transact, writer, table: suppressions, ids, requests, newId }),
    ...createFindingReader({ writer, ids }),
    ...createFindingList(db, counter),
    counts: counter.counts,
    refold: (context, resources) =>
      transact(() => changes.apply(fold({ findings: writer.table.active(), placeOf: placesOf(resources) }), context)),
    renameResource: createResourceRename({ db, transact, writer, suppressions, operatorStates }),
    prune: (nowMs, limits = defaultRetention) => prune(nowMs, limits),
    operatorStates,
  };
};
