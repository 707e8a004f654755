/** Findings as capabilities look at them, whatever else the store can do. */
import type { Finding } from '../../findings/finding.ts';
import type { HistoryRow } from '../../findings/history.ts';
import type { OperatorState } from '../../findings/operator-state.ts';
import type { FindingPage, FindingQuery } from '../../findings/page.ts';
import type { Episode } from '../../findings/storage/episode-table.ts';
import type { CitedReading } from '../../findings/storage/evidence-table.ts';
import type { FindingStore } from '../../findings/store.ts';
import type { ResourceId } from '../../signals/resource.ts';

export interface FindingStory {
  readonly finding: Finding;
  /** Oldest first. */
  readonly episodes: readonly Episode[];
  readonly evidence: readonly CitedReading[];
}

export interface FindingPort {
  /** Throws `invalid_finding_request`. */
  list(query: FindingQuery): FindingPage;
  /** Throws `finding_not_found` or `finding_id_ambiguous`. */
  story(id: string): FindingStory;
  /** Oldest first, those after a row that is known; at most `limit`. Throws like `story`. */
  history(id: string, afterSeq: number, limit: number): readonly HistoryRow[];
  /** Null: nothing is declared about it. */
  operatorState(resourceId: ResourceId): OperatorState | null;
}

export const findingPortOf = (
  store: Pick<FindingStore, 'list' | 'details' | 'historyOf' | 'operatorStates'>,
): FindingPort => ({
  list: (query) => store.list(query),
  story: (id) => store.details(id),
  history: (id, afterSeq, limit) => store.historyOf(id, afterSeq, limit),
  operatorState: (resourceId) => store.operatorStates.get(resourceId),
});
