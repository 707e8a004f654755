/**
 * Pages of findings. A list is strung from strands, one per (state, severity): within a strand an index has the order,
 * so that a page costs the same at the hundredth finding and at the hundred-thousandth.
 */
import { SEVERITIES, severityRank } from '../../signals/detector.ts';
import type { Database } from '../../src/runtime/database.ts';
import { and, asc, desc, eq, sql } from '../../src/runtime/drizzle.ts';
import { PatroldError } from '../../src/runtime/errors.ts';
import { FINDING_STATES, type Finding, type FindingState } from '../finding.ts';
import {
  type Cursor,
  cursorAfter,
  DEFAULT_PAGE,
  type FindingPage,
  type FindingQuery,
  LARGEST_PAGE,
  readCursor,
  type SeverityCounts,
  SORTS,
  writeCursor,
} from '../page.ts';
import { findings } from '../schema.ts';
import { aliased, named } from './columns.ts';
import type { FindingCounter } from './finding-counter.ts';
import { conditionsOf, severityIn, stateIs } from './finding-filter.ts';
import { type FindingRow, fromRow } from './finding-row.ts';

export interface FindingList {
  /** Throws `invalid_finding_request`. */
  list(query: FindingQuery): FindingPage;
}

export const createFindingList = (db: Database, counter: FindingCounter): FindingList => ({
  list: (query) => {
    const { sort = 'severity', limit = DEFAULT_PAGE } = query;
    if (!SORTS.includes(sort)) throw invalid(`there is no sort ${JSON.stringify(sort)}`);
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > LARGEST_PAGE)
      throw invalid(`a page has 1 to ${LARGEST_PAGE} findings`);
    const cursor = cursorOf(query.cursor, sort);
    const rows =
      sort === 'resource'
        ? byResource(db, query, cursor, limit + 1)
        : byStrands(db, { ...query, sort }, cursor, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const found = page.map(fromRow);
    const lastFinding = found.at(-1);
    const more = rows.length > limit && last !== undefined && lastFinding !== undefined;
    // What all fits on one page is counted already.
    const bySeverity = more || cursor !== null ? counter.bySeverity(query) : countOf(found);
    return {
      findings: found,
      nextCursor: more ? writeCursor(cursorAfter(sort, lastFinding, last.severityRank)) : null,
      total: SEVERITIES.reduce((total, severity) => total + bySeverity[severity], 0),
      bySeverity,
    };
  },
});

const countOf = (found: readonly Finding[]): SeverityCounts => {
  const counts = { info: 0, watch: 0, warning: 0, critical: 0 };
  for (const { severity } of found) counts[severity] += 1;
  return counts;
};

const invalid = (message: string): PatroldError => new PatroldError('invalid_finding_request', message);

const cursorOf = (text: string | undefined, sort: Cursor['sort']): Cursor | null => {
  if (text === undefined) return null;
  const cursor = readCursor(text, sort);
  if (cursor === null) throw invalid('the cursor is not one of this list: begin at its first page');
  return cursor;
};

const byResource = (
  { orm }: Database,
  query: FindingQuery,
  cursor: Cursor | null,
  limit: number,
): readonly FindingRow[] => {
  const { state = 'active' } = query;
  const after =
    cursor?.sort === 'resource'
      ? sql`(${findings.resourceId}, ${findings.key}) > (${cursor.resourceId}, ${cursor.key})`
      : undefined;
  return orm
    .select()
    .from(findings)
    .where(and(state === 'all' ? undefined : stateIs(state, 'row'), severityIn(query), after, ...conditionsOf(query)))
    .orderBy(asc(findings.resourceId), asc(findings.key))
    .limit(limit)
    .all();
};

interface StrandQuery extends FindingQuery {
  readonly sort: 'severity' | 'newest';
}

const byStrands = (db: Database, query: StrandQuery, cursor: Cursor | null, limit: number): readonly FindingRow[] => {
  const states: readonly FindingState[] = query.state === 'all' ? FINDING_STATES : [query.state ?? 'active'];
  const ranks = [...new Set((query.severities ?? SEVERITIES).map(severityRank))].sort((a, b) => b - a);
  const strand = strandOf(db, query);
  const page: FindingRow[] = [];
  for (const group of query.sort === 'newest' ? [ranks] : ranks.map((rank) => [rank])) {
    const wanted = limit - page.length;
    if (wanted <= 0) break;
    const found = states.flatMap((state) => group.flatMap((rank) => strand(state, rank, cursor, wanted)));
    page.push(...found.sort(newestFirst).slice(0, wanted));
  }
  return page;
};

const newestFirst = (a: FindingRow, b: FindingRow): number => b.stateAtMs - a.stateAtMs || (a.id < b.id ? 1 : -1);

type Strand = (state: FindingState, rank: number, cursor: Cursor | null, limit: number) => readonly FindingRow[];

/** Beyond any instant: what comes before all that there is. */
const END_OF_TIME_MS = Number.MAX_SAFE_INTEGER;

/** Built once for a query, run once for each strand. */
const strandOf = ({ orm, prepare }: Database, query: StrandQuery): Strand => {
  // Left to itself SQLite takes the index by severity and reads all that lies between two findings of the key.
  const isByKey = query.key !== undefined && query.resourceId === undefined;
  const statement = prepare(
    orm
      .select(aliased(findings))
      .from(isByKey ? sql`${findings} indexed by findings_by_key` : findings)
      .where(
        and(
          stateIs(named('state'), query.resourceId === undefined ? 'index' : 'row'),
          eq(findings.severityRank, named('rank')),
          sql`(${findings.stateAtMs}, ${findings.id}) < (${named('atMs')}, ${named('id')})`,
          ...conditionsOf(query),
        ),
      )
      .orderBy(desc(findings.stateAtMs), desc(findings.id))
      .limit(sql.placeholder('limit')),
  );
  const run = (state: FindingState, rank: number, atMs: number, id: string, limit: number): readonly FindingRow[] =>
    statement.all({ state, rank, atMs, id, limit }) as readonly FindingRow[];
  return (state, rank, cursor, limit) => {
    if (cursor === null || cursor.sort === 'resource') return run(state, rank, END_OF_TIME_MS, '', limit);
    if (cursor.sort === 'newest' || rank === cursor.rank) return run(state, rank, cursor.atMs, cursor.id, limit);
    return rank > cursor.rank ? [] : run(state, rank, END_OF_TIME_MS, '', limit);
  };
};
