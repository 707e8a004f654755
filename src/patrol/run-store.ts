/** Runs and their stages in the database: recorded as they go, so that a killed run is later shown as far as it came. */

import type { Database, Orm } from '../runtime/database.ts';
import { and, asc, desc, eq, isNull, lt, ne, sql } from '../runtime/drizzle.ts';
import type { Coverage } from './coverage.ts';
import type { RunKind, RunRecord, RunState, StageName, StageRecord, Trigger } from './run-record.ts';
import type { RunStatus } from './run-status.ts';
import { quietWatches, runStages, runs } from './schema.ts';
import type { Scope } from './scope.ts';

export interface RunStart {
  readonly id: string;
  readonly requestId: string;
  readonly kind: RunKind;
  readonly trigger: Trigger;
  readonly scope: Scope | null;
}

export interface RunEnd {
  readonly state: Exclude<RunState, 'queued' | 'running'>;
  readonly status: RunStatus | null;
  readonly reason: string | null;
  readonly durationMs: number;
  readonly coverage: Coverage | null;
  /** JSON, bounded by its maker. */
  readonly report: string | null;
}

/** Newest first, those before `beforeId`. */
export interface RunQuery {
  readonly limit: number;
  readonly beforeId?: string | undefined;
  readonly kind?: RunKind | undefined;
  readonly status?: RunStatus | undefined;
}

/** Watches of one day that changed nothing. */
export interface QuietWatches {
  readonly day: string;
  readonly count: number;
  readonly lastAtMs: number;
  readonly lastStatus: RunStatus;
}

export interface RunStore {
  begin(run: RunStart, nowMs: number): void;
  stage(runId: string, position: number, stage: StageRecord): void;
  /** False, and nothing is written: the run is not running any more, another process took over and ended it. */
  end(runId: string, end: RunEnd): boolean;
  /** A watch that changed nothing leaves a count, not a run. */
  endQuietly(runId: string, status: RunStatus, nowMs: number): void;
  /** Runs that a dead process left behind. Only whoever holds the lease may call this. */
  interruptLeftovers(reason: string): number;
  requestCancel(runId: string, nowMs: number): boolean;
  isCancelRequested(runId: string): boolean;
  get(id: string): RunRecord | null;
  report(id: string): string | null;
  list(query: RunQuery): readonly RunRecord[];
  current(): RunRecord | null;
  /** Newest run of that kind over everything that completed and could survey something. */
  lastGood(kind: RunKind): RunRecord | null;
  quietWatches(): readonly QuietWatches[];
  prune(beforeMs: number): number;
}

type Row = typeof runs.$inferSelect;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const columns = {
  id: runs.id,
  requestId: runs.requestId,
  kind: runs.kind,
  trigger: runs.trigger,
  scope: runs.scope,
  state: runs.state,
  status: runs.status,
  reason: runs.reason,
  startedAtMs: runs.startedAtMs,
  durationMs: runs.durationMs,
  coverage: runs.coverage,
};

/** Rows as records, with their stages. */
const createReader = (orm: Orm) => {
  const stagesOf = (runId: string): StageRecord[] =>
    orm
      .select()
      .from(runStages)
      .where(eq(runStages.runId, runId))
      .orderBy(asc(runStages.position))
      .all()
      .map(({ name, status, reason, durationMs }) => ({
        name: name as StageName,
        status: status as StageRecord['status'],
        reason,
        durationMs,
      }));
  const fromRow = (row: Pick<Row, keyof typeof columns>): RunRecord => ({
    ...row,
    kind: row.kind as RunKind,
    trigger: row.trigger as Trigger,
    state: row.state as RunState,
    status: row.status as RunStatus | null,
    scope: row.scope === null ? null : (JSON.parse(row.scope) as Scope),
    coverage: row.coverage === null ? null : (JSON.parse(row.coverage) as Coverage),
    stages: stagesOf(row.id),
  });
  return fromRow;
};

const removeRun = (orm: Orm, id: string): void => {
  orm.delete(runStages).where(eq(runStages.runId, id)).run();
  orm.delete(runs).where(eq(runs.id, id)).run();
};

const countQuietly = (orm: Orm, runId: string, status: RunStatus, nowMs: number): void => {
  removeRun(orm, runId);
  const set = { lastAtMs: nowMs, lastStatus: status };
  orm
    .insert(quietWatches)
    .values({ day: dayOf(nowMs), count: 1, ...set })
    .onConflictDoUpdate({ target: quietWatches.day, set: { ...set, count: sql`${quietWatches.count} + 1` } })
    .run();
};

const lastGood = (orm: Orm, kind: RunKind) => {
  const good = and(eq(runs.kind, kind), eq(runs.state, 'completed'), ne(runs.status, 'error'), isNull(runs.scope));
  return orm.select(columns).from(runs).where(good).orderBy(desc(runs.startedAtMs)).limit(1).get();
};

type Writes =
  | 'begin'
  | 'stage'
  | 'end'
  | 'endQuietly'
  | 'interruptLeftovers'
  | 'requestCancel'
  | 'isCancelRequested'
  | 'prune';

const createWrites = (orm: Orm): Pick<RunStore, Writes> => ({
  begin: ({ id, requestId, kind, trigger, scope }, nowMs) => {
    const values = { id, requestId, kind, trigger, scope: scope === null ? null : JSON.stringify(scope) };
    orm
      .insert(runs)
      .values({ ...values, state: 'running', startedAtMs: nowMs })
      .run();
  },
  stage: (runId, position, stage) => {
    orm
      .insert(runStages)
      .values({ runId, position, ...stage })
      .run();
  },
  end: (runId, { coverage, ...end }) =>
    orm
      .update(runs)
      .set({ ...end, coverage: coverage === null ? null : JSON.stringify(coverage) })
      .where(and(eq(runs.id, runId), eq(runs.state, 'running')))
      .run().changes > 0,
  endQuietly: (runId, status, nowMs) => {
    orm.transaction(() => countQuietly(orm, runId, status, nowMs), { behavior: 'immediate' });
  },
  interruptLeftovers: (reason) =>
    orm.update(runs).set({ state: 'interrupted', reason }).where(eq(runs.state, 'running')).run().changes,
  requestCancel: (runId, nowMs) =>
    orm
      .update(runs)
      .set({ cancelRequestedAtMs: nowMs })
      .where(and(eq(runs.id, runId), eq(runs.state, 'running'), isNull(runs.cancelRequestedAtMs)))
      .run().changes > 0,
  isCancelRequested: (runId) => {
    const row = orm.select({ at: runs.cancelRequestedAtMs }).from(runs).where(eq(runs.id, runId)).get();
    return row !== undefined && row.at !== null;
  },
  prune: (beforeMs) => {
    const old = orm
      .select({ id: runs.id })
      .from(runs)
      .where(and(lt(runs.startedAtMs, beforeMs), ne(runs.state, 'running')))
      .all();
    for (const { id } of old) removeRun(orm, id);
    return old.length;
  },
});

const createReads = (orm: Orm): Omit<RunStore, Writes> => {
  const fromRow = createReader(orm);
  return {
    get: (id) => {
      const row = orm.select(columns).from(runs).where(eq(runs.id, id)).get();
      return row === undefined ? null : fromRow(row);
    },
    report: (id) => orm.select({ report: runs.report }).from(runs).where(eq(runs.id, id)).get()?.report ?? null,
    list: ({ limit, beforeId, kind, status }) =>
      orm
        .select(columns)
        .from(runs)
        .where(
          and(
            beforeId === undefined ? undefined : lt(runs.id, beforeId),
            kind === undefined ? undefined : eq(runs.kind, kind),
            status === undefined ? undefined : eq(runs.status, status),
          ),
        )
        .orderBy(desc(runs.id))
        .limit(limit)
        .all()
        .map(fromRow),
    current: () => {
      const row = orm
        .select(columns)
        .from(runs)
        .where(eq(runs.state, 'running'))
        .orderBy(desc(runs.startedAtMs))
        .limit(1)
        .get();
      return row === undefined ? null : fromRow(row);
    },
    lastGood: (kind) => {
      const row = lastGood(orm, kind);
      return row === undefined ? null : fromRow(row);
    },
    quietWatches: () =>
      orm
        .select()
        .from(quietWatches)
        .orderBy(desc(quietWatches.day))
        .all()
        .map((row) => ({ ...row, lastStatus: row.lastStatus as RunStatus })),
  };
};

export const createRunStore = ({ orm }: Database): RunStore => ({ ...createWrites(orm), ...createReads(orm) });
