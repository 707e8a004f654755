/** The rows of what operators declared about resources, and of its append-only history. */
import { asResourceId, type ResourceId } from '../../signals/resource.ts';
import type { Database } from '../../src/runtime/database.ts';
import { asc, eq, inArray } from '../../src/runtime/drizzle.ts';
import type { Actor } from '../history-entry.ts';
import type { Criticality, OperatorState } from '../operator-state.ts';
import { operatorState, operatorStateHistory } from '../schema.ts';

export interface OperatorStateChange {
  readonly seq: number;
  readonly resourceId: ResourceId;
  readonly atMs: number;
  readonly kind: 'declared' | 'withdrawn' | 'moved';
  readonly actor: Actor;
  readonly reason: string | null;
  /** Null: nothing is declared any more. */
  readonly state: OperatorState | null;
}

export interface NewChange {
  readonly kind: OperatorStateChange['kind'];
  readonly actor: Actor;
  readonly reason: string | null;
  readonly nowMs: number;
  readonly requestId: string | null;
  readonly movedFrom: ResourceId | null;
}

export interface OperatorStateTable {
  get(resourceId: ResourceId): OperatorState | null;
  all(): ReadonlyMap<ResourceId, OperatorState>;
  /** `null`: nothing is declared any more. */
  put(resourceId: ResourceId, state: OperatorState | null, change: NewChange): void;
  history(resourceId: ResourceId): readonly OperatorStateChange[];
}

/** Ids that one resource can have had, and rows that one history shows. */
const MAX_FORMER_IDS = 50;
const MAX_CHANGES = 500;

export const createOperatorStateTable = ({ orm }: Database): OperatorStateTable => {
  const movedFrom = (resourceId: string): readonly string[] =>
    orm
      .select({ from: operatorStateHistory.movedFrom })
      .from(operatorStateHistory)
      .where(eq(operatorStateHistory.resourceId, resourceId))
      .all()
      .flatMap(({ from }) => (from === null ? [] : [from]));
  const formerIds = (resourceId: ResourceId): readonly string[] => {
    const ids = new Set<string>([resourceId]);
    // A set is walked in the order of insertion, what is added while walking included.
    for (const id of ids) {
      for (const from of movedFrom(id)) if (ids.size < MAX_FORMER_IDS) ids.add(from);
    }
    return [...ids];
  };
  return {
    get: (resourceId) => {
      const row = orm.select().from(operatorState).where(eq(operatorState.resourceId, resourceId)).get();
      return row === undefined ? null : fromRow(row);
    },
    all: () =>
      new Map(
        orm
          .select()
          .from(operatorState)
          .all()
          .map(fromRow)
          .map((state) => [state.resourceId, state]),
      ),
    put: (resourceId, state, { kind, actor, reason, nowMs, requestId, movedFrom: from }) => {
      orm.delete(operatorState).where(eq(operatorState.resourceId, resourceId)).run();
      if (state !== null) orm.insert(operatorState).values(toRow(state)).run();
      const after = state === null ? null : JSON.stringify(state);
      const who = { actorKind: actor.kind, actorName: actor.name };
      const row = { resourceId, atMs: nowMs, kind, ...who, reason, state: after, movedFrom: from, requestId };
      orm.insert(operatorStateHistory).values(row).run();
    },
    history: (resourceId) =>
      orm
        .select()
        .from(operatorStateHistory)
        .where(inArray(operatorStateHistory.resourceId, [...formerIds(resourceId)]))
        .orderBy(asc(operatorStateHistory.seq))
        .limit(MAX_CHANGES)
        .all()
        .map(changeFromRow),
  };
};

type Row = typeof operatorState.$inferSelect;

const toRow = (state: OperatorState): Row => ({
  resourceId: state.resourceId,
  maintenanceFromMs: state.maintenance?.fromMs ?? null,
  maintenanceUntilMs: state.maintenance?.untilMs ?? null,
  expectedOffline: Number(state.expectedOffline),
  muted: Number(state.muted),
  retired: Number(state.retired),
  neverAutoRemediate: Number(state.neverAutoRemediate),
  criticality: state.criticality,
  note: state.note,
});

const fromRow = (row: Row): OperatorState => ({
  resourceId: asResourceId(row.resourceId),
  maintenance:
    row.maintenanceFromMs === null || row.maintenanceUntilMs === null
      ? null
      : { fromMs: row.maintenanceFromMs, untilMs: row.maintenanceUntilMs },
  expectedOffline: row.expectedOffline === 1,
  muted: row.muted === 1,
  retired: row.retired === 1,
  neverAutoRemediate: row.neverAutoRemediate === 1,
  criticality: row.criticality as Criticality,
  note: row.note,
});

const changeFromRow = (row: typeof operatorStateHistory.$inferSelect): OperatorStateChange => ({
  seq: row.seq,
  resourceId: asResourceId(row.resourceId),
  atMs: row.atMs,
  kind: row.kind as OperatorStateChange['kind'],
  actor: { kind: row.actorKind as Actor['kind'], name: row.actorName },
  reason: row.reason,
  state: row.state === null ? null : (JSON.parse(row.state) as OperatorState),
});
