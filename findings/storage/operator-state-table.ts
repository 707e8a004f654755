/** What operators declared about resources, with an append-only history of it. */
import type { ResourceId } from '../../signals/resource.ts';
import type { Database } from '../../src/runtime/database.ts';
import { eq } from '../../src/runtime/drizzle.ts';
import { type Criticality, nothingDeclared, type OperatorState } from '../operator-state.ts';
import { operatorState, operatorStateHistory } from '../schema.ts';

export interface OperatorStateTable {
  of(resourceId: ResourceId): OperatorState;
  write(state: OperatorState, by: string, reason: string | null, nowMs: number): void;
  move(from: ResourceId, into: ResourceId, nowMs: number): void;
}

type Row = typeof operatorState.$inferSelect;

const fromRow = (row: Row, resourceId: ResourceId): OperatorState => ({
  resourceId,
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

const toRow = (state: OperatorState): Row => ({
  resourceId: state.resourceId,
  maintenanceFromMs: state.maintenance?.fromMs ?? null,
  maintenanceUntilMs: state.maintenance?.untilMs ?? null,
  expectedOffline: state.expectedOffline ? 1 : 0,
  muted: state.muted ? 1 : 0,
  retired: state.retired ? 1 : 0,
  neverAutoRemediate: state.neverAutoRemediate ? 1 : 0,
  criticality: state.criticality,
  note: state.note,
});

export const createOperatorStateTable = ({ orm }: Database): OperatorStateTable => {
  const rowOf = (resourceId: ResourceId): Row | undefined =>
    orm.select().from(operatorState).where(eq(operatorState.resourceId, resourceId)).get();
  const put = (row: Row): void => {
    orm.insert(operatorState).values(row).onConflictDoUpdate({ target: operatorState.resourceId, set: row }).run();
  };
  return {
    of: (resourceId) => {
      const row = rowOf(resourceId);
      return row === undefined ? nothingDeclared(resourceId) : fromRow(row, resourceId);
    },
    write: (state, by, reason, nowMs) => {
      put(toRow(state));
      const { resourceId } = state;
      orm
        .insert(operatorStateHistory)
        .values({
          resourceId,
          atMs: nowMs,
          kind: 'declared',
          actorKind: 'operator',
          actorName: by,
          reason,
          state: JSON.stringify(state),
        })
        .run();
    },
    move: (from, into, nowMs) => {
      const row = rowOf(from);
      if (row === undefined) return;
      orm.delete(operatorState).where(eq(operatorState.resourceId, from)).run();
      // What was declared about the resource that goes on stands.
      if (rowOf(into) === undefined) put({ ...row, resourceId: into });
      orm
        .insert(operatorStateHistory)
        .values({
          resourceId: into,
          atMs: nowMs,
          kind: 'moved',
          actorKind: 'patrold',
          movedFrom: from,
          state: JSON.stringify(fromRow(row, into)),
        })
        .run();
    },
  };
};
