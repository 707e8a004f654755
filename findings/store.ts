/** Findings in the database: everything that files, changes and finds them. */
import type { ResourceId } from '../signals/resource.ts';
import type { Database } from '../src/runtime/database.ts';
import type { NewId } from '../src/runtime/ids.ts';
import type { Finding, FindingId } from './finding.ts';
import { createHistory, type HistoryRow } from './history.ts';
import type { OperatorState } from './operator-state.ts';
import type { RunContext } from './storage/context.ts';
import type { Episode } from './storage/episode-table.ts';
import type { CitedReading } from './storage/evidence-table.ts';
import { createFilingDesk, type FilingDesk } from './storage/filing-desk.ts';
import { createFindingCounter, type FindingCounter } from './storage/finding-counter.ts';
import { createFindingIds } from './storage/finding-ids.ts';
import { createFindingList, type FindingList } from './storage/finding-list.ts';
import { createFindingWriter } from './storage/finding-writer.ts';
import { createLookDesk, type LookDesk } from './storage/look-desk.ts';
import { createMover } from './storage/mover.ts';
import { createOperatorStateTable } from './storage/operator-state-table.ts';
import { createPruner, type Prune } from './storage/pruner.ts';
import { createRequestLog } from './storage/request-log.ts';
import { createSuppressionDesk, type SuppressionDesk } from './storage/suppression-desk.ts';
import { createSuppressionTable } from './storage/suppression-table.ts';
import { inTransaction } from './storage/transaction.ts';
import { createVerbDesk, type VerbDesk } from './storage/verb-desk.ts';

export type { Filed, FilingOutcome } from './storage/filing-desk.ts';
export type { Applied } from './storage/look-desk.ts';

/** Rows of history that one answer holds. */
export const MAX_HISTORY = 1_000;

export interface FindingDetail {
  readonly finding: Finding;
  /** Oldest first. */
  readonly episodes: readonly Episode[];
  readonly history: readonly HistoryRow[];
  readonly evidence: readonly CitedReading[];
}

export interface FindingStore
  extends FilingDesk,
    LookDesk,
    VerbDesk,
    SuppressionDesk,
    FindingList,
    Pick<FindingCounter, 'counts'> {
  /** `typed`: an id, or a unique part of one. Throws `finding_not_found` or `finding_id_ambiguous`. */
  detail(typed: string): FindingDetail;
  operatorStateOf(resourceId: ResourceId): OperatorState;
  /** The identity resolver joined two resources. The caller holds the transaction. */
  renameResource(from: ResourceId, into: ResourceId, context: RunContext): void;
  /** Forgets what has been over for long enough; answers how many findings. */
  readonly prune: Prune;
}

export interface FindingStoreDeps {
  readonly db: Database;
  readonly newId: NewId;
  /** Keys that begin with these belong to their detectors, whoever files under them. */
  readonly detectorTypes: ReadonlySet<string>;
}

export const createFindingStore = ({ db, newId, detectorTypes }: FindingStoreDeps): FindingStore => {
  const transact = inTransaction(db);
  const writer = createFindingWriter(db, createHistory(db));
  const rules = createSuppressionTable(db);
  const requests = createRequestLog(db);
  const ids = createFindingIds(db);
  const states = createOperatorStateTable(db);
  const counter = createFindingCounter(db);
  const detailOf = (id: FindingId): FindingDetail | null => {
    const finding = writer.table.byId(id);
    if (finding === null) return null;
    const family = ids.family(id);
    return {
      finding,
      episodes: writer.episodes.of(family),
      history: writer.history.of(family, 0, MAX_HISTORY),
      evidence: writer.evidence.of(family),
    };
  };
  return {
    ...createFilingDesk({ transact, writer, suppressions: rules, newId, detectorTypes }),
    ...createLookDesk(transact, writer),
    ...createVerbDesk({ transact, writer, ids, requests }),
    ...createSuppressionDesk({ transact, writer, table: rules, ids, requests, newId }),
    ...createFindingList(db, counter),
    ...createMover({ db, writer, rules, states }),
    counts: () => counter.counts(),
    detail: (typed) => {
      const detail = detailOf(ids.resolve(typed));
      // `resolve` answers with ids of rows that are there.
      if (detail === null) throw new TypeError(`finding ${typed} went while it was read`);
      return detail;
    },
    operatorStateOf: (resourceId) => states.of(resourceId),
    prune: createPruner({ db, transact, requests, rules }),
  };
};
