/** How many findings there are: from the counts that triggers keep, or counted where a filter goes beyond those. */
import { SEVERITIES, type Severity, severityRank } from '../../signals/detector.ts';
import type { Database } from '../../src/runtime/database.ts';
import { and, count, eq, inArray, type SQL, sum } from '../../src/runtime/drizzle.ts';
import type { DispositionKind, FindingState } from '../finding.ts';
import type { FindingFilter, SeverityCounts } from '../page.ts';
import { findingCounts, findings } from '../schema.ts';
import { conditionsOf, isCounted, severityIn, stateIs } from './finding-filter.ts';
import { severityOf } from './finding-row.ts';

export interface FindingCount {
  readonly state: FindingState;
  readonly severity: Severity;
  readonly disposition: DispositionKind;
  readonly count: number;
}

export interface FindingCounter {
  bySeverity(filter: FindingFilter): SeverityCounts;
  /** For metrics: a few dozen rows, however many findings there are. */
  counts(): readonly FindingCount[];
}

const countedState = ({ state = 'active', resourceId, key }: FindingFilter): SQL | undefined =>
  state === 'all' ? undefined : stateIs(state, resourceId === undefined && key !== undefined ? 'index' : 'row');

export const createFindingCounter = ({ orm }: Database): FindingCounter => {
  const maintained = ({ state = 'active', severities, category, disposition }: FindingFilter) =>
    orm
      .select({ rank: findingCounts.severityRank, count: sum(findingCounts.count) })
      .from(findingCounts)
      .where(
        and(
          state === 'all' ? undefined : eq(findingCounts.state, state),
          severities === undefined ? undefined : inArray(findingCounts.severityRank, severities.map(severityRank)),
          category === undefined ? undefined : eq(findingCounts.category, category),
          disposition === undefined ? undefined : eq(findingCounts.disposition, disposition),
        ),
      )
      .groupBy(findingCounts.severityRank)
      .all();
  const counted = (filter: FindingFilter) =>
    orm
      .select({ rank: findings.severityRank, count: count() })
      .from(findings)
      .where(and(countedState(filter), severityIn(filter), ...conditionsOf(filter)))
      .groupBy(findings.severityRank)
      .all();
  return {
    bySeverity: (filter) => {
      const rows = isCounted(filter) ? maintained(filter) : counted(filter);
      const found = new Map(rows.map((row) => [severityOf(row.rank), Number(row.count)]));
      return Object.fromEntries(SEVERITIES.map((severity) => [severity, found.get(severity) ?? 0])) as Record<
        Severity,
        number
      >;
    },
    counts: () =>
      orm
        .select({
          state: findingCounts.state,
          rank: findingCounts.severityRank,
          disposition: findingCounts.disposition,
          count: sum(findingCounts.count),
        })
        .from(findingCounts)
        .groupBy(findingCounts.state, findingCounts.severityRank, findingCounts.disposition)
        .all()
        .map((row) => ({
          state: row.state as FindingState,
          severity: severityOf(row.rank),
          disposition: row.disposition as DispositionKind,
          count: Number(row.count),
        })),
  };
};
