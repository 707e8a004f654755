/** What was promised during the chaos, held against the database afterwards. */
import BetterSqlite3 from 'better-sqlite3';

export interface Promised {
  /** Changes that a run logged as filed. */
  readonly changes: readonly { readonly runId: string; readonly findingId: string; readonly change: string }[];
  /** Verbs that were answered: their request ids, and whether each always leaves a row of history. */
  readonly verbs: readonly { readonly requestId: string; readonly leavesRow: boolean }[];
}

export interface Verdict {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly broken: readonly string[];
}

interface HistoryRow {
  readonly finding_id: string;
  readonly kind: string;
  readonly run_id: string | null;
  readonly request_id: string | null;
}

const countBy = (
  rows: readonly HistoryRow[],
  keyOf: (row: HistoryRow) => string | null,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

const changeKey = (findingId: string, runId: string, change: string): string =>
  `${change} of ${findingId} in run ${runId}`;

export const holdAgainst = (path: string, { changes, verbs }: Promised): Verdict => {
  const sqlite = new BetterSqlite3(path);
  const rows = sqlite.prepare('select finding_id, kind, run_id, request_id from finding_history').all() as HistoryRow[];
  const perRun = countBy(rows, (row) => (row.run_id === null ? null : changeKey(row.finding_id, row.run_id, row.kind)));
  const perRequest = countBy(rows, ({ request_id }) => request_id);
  const lost = [
    ...changes
      .filter(({ findingId, runId, change }) => !perRun.has(changeKey(findingId, runId, change)))
      .map(({ findingId, runId, change }) => changeKey(findingId, runId, change)),
    ...verbs
      .filter(({ requestId, leavesRow }) => leavesRow && !perRequest.has(requestId))
      .map(({ requestId }) => `verb ${requestId}`),
  ];
  const twice = (counts: ReadonlyMap<string, number>): readonly string[] =>
    [...counts].filter(([, count]) => count > 1).map(([key, count]) => `${key}: ${count} times`);
  const problems = sqlite
    .prepare("select resource_id || ' ' || key as problem, count(*) as n from findings group by 1 having n > 1")
    .all() as { readonly problem: string }[];
  const episodes = sqlite
    .prepare(
      'select finding_id as problem, count(*) as n from episodes where ended_at_ms is null group by 1 having n > 1',
    )
    .all() as { readonly problem: string }[];
  const integrity = sqlite.pragma('integrity_check', { simple: true });
  const foreign = sqlite.pragma('foreign_key_check') as readonly unknown[];
  const openWithout = sqlite
    .prepare(
      "select count(*) as n from findings f where state = 'active' and not exists (select 1 from episodes e where e.finding_id = f.id and e.ended_at_ms is null)",
    )
    .get() as { readonly n: number };
  sqlite.close();
  return {
    lost,
    doubled: [
      ...twice(perRun),
      ...twice(perRequest),
      ...problems.map(({ problem }) => problem),
      ...episodes.map(({ problem }) => `open episodes of ${problem}`),
    ],
    broken: [
      ...(integrity === 'ok' ? [] : [`integrity: ${String(integrity)}`]),
      ...(foreign.length === 0 ? [] : ['foreign keys']),
      ...(openWithout.n === 0 ? [] : [`${openWithout.n} active findings without an episode`]),
    ],
  };
};

/** Runs by state, to see that a killed one is shown as interrupted. */
export const runStates = (path: string): Readonly<Record<string, number>> => {
  const sqlite = new BetterSqlite3(path);
  const rows = sqlite.prepare('select state, count(*) as n from runs group by state').all() as {
    readonly state: string;
    readonly n: number;
  }[];
  sqlite.close();
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
};

/** Why runs failed: a kill interrupts, it never fails a run. */
export const whyFailed = (path: string): readonly string[] => {
  const sqlite = new BetterSqlite3(path);
  const rows = sqlite.prepare("select reason from runs where state = 'failed' order by id").all() as {
    readonly reason: string | null;
  }[];
  sqlite.close();
  return rows.map(({ reason }) => `a run failed: ${reason}`);
};

export const someActive = (path: string): readonly string[] => {
  const sqlite = new BetterSqlite3(path);
  const rows = sqlite.prepare("select id from findings where state = 'active' order by id").all() as {
    readonly id: string;
  }[];
  sqlite.close();
  return rows.map(({ id }) => id);
};
