/** What operators declared about resources, with an append-only history. */
import { asResourceId, type ResourceId } from '../../signals/resource.ts';
import type { Database } from '../../src/runtime/database.ts';
import { asc, eq, inArray } from '../../src/runtime/drizzle.ts';
import { PatroldError } from '../../src/runtime/errors.ts';
import { type Actor, operator, patrold } from '../history-entry.ts';
import {
  type Criticality,
  mergeStates,
  nothingDeclared,
  type OperatorState,
  type OperatorStatePatch,
  whyInvalid,
} from '../operator-state.ts';
import { operatorState, operatorStateHistory } from '../schema.ts';
import type { RequestContext } from './context.ts';
import { keptText, keptTextOrNull, NAME_LENGTH, NOTE_LENGTH } from './kept-text.ts';
import type { RequestLog } from './request-log.ts';
import type { InTransaction } from './transaction.ts';

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

export interface OperatorStateStore {
  /** Null: nothing is declared. */
  get(resourceId: ResourceId): OperatorState | null;
  all(): ReadonlyMap<ResourceId, OperatorState>;
  /** Changes what is given and keeps the rest. Throws `operator_state_invalid`. */
  declare(
    resourceId: ResourceId,
    patch: OperatorStatePatch,
    by: { readonly name: string; readonly reason: string | null },
    context: RequestContext,
  ): OperatorState;
  /** Throws `operator_state_not_set`. */
  withdraw(
    resourceId: ResourceId,
    by: { readonly name: string; readonly reason: string | null },
    context: RequestContext,
  ): void;
  /** Oldest first, from before it had this id too. */
  history(resourceId: ResourceId): readonly OperatorStateChange[];
  /** The caller holds the transaction. */
  move(from: ResourceId, into: ResourceId, nowMs: number): void;
}

export interface OperatorStateDeps {
  readonly db: Database;
  readonly transact: InTransaction;
  readonly requests: RequestLog;
}

interface Change {
  readonly kind: OperatorStateChange['kind'];
  readonly actor: Actor;
  readonly reason: string | null;
  readonly nowMs: number;
  readonly requestId: string | null;
  readonly movedFrom: ResourceId | null;
}

/** Ids that one resource can have had, and rows that one history shows. */
const MAX_FORMER_IDS = 50;
const MAX_CHANGES = 500;

export const createOperatorStateStore = ({ db, transact, requests }: OperatorStateDeps): OperatorStateStore => {
  const { orm } = db;
  const get = (resourceId: ResourceId): OperatorState | null => {
    const row = orm.select().from(operatorState).where(eq(operatorState.resourceId, resourceId)).get();
    return row === undefined ? null : fromRow(row);
  };
  const put = (resourceId: ResourceId, state: OperatorState | null, change: Change): void => {
    orm.delete(operatorState).where(eq(operatorState.resourceId, resourceId)).run();
    if (state !== null) orm.insert(operatorState).values(toRow(state)).run();
    orm
      .insert(operatorStateHistory)
      .values({
        resourceId,
        atMs: change.nowMs,
        kind: change.kind,
        actorKind: change.actor.kind,
        actorName: change.actor.name,
        reason: change.reason,
        state: state === null ? null : JSON.stringify(state),
        movedFrom: change.movedFrom,
        requestId: change.requestId,
      })
      .run();
  };
  const formerIds = (resourceId: ResourceId): readonly string[] => {
    const ids: string[] = [resourceId];
    for (let index = 0; index < ids.length && ids.length < MAX_FORMER_IDS; index += 1) {
      const moved = orm
        .select({ from: operatorStateHistory.movedFrom })
        .from(operatorStateHistory)
        .where(eq(operatorStateHistory.resourceId, ids[index] ?? ''))
        .all();
      for (const { from } of moved) if (from !== null && !ids.includes(from)) ids.push(from);
    }
    return ids;
  };
  const changeBy = (
    kind: Change['kind'],
    by: { readonly name: string; readonly reason: string | null },
    { nowMs, requestId = null }: RequestContext,
  ): Change => ({
    kind,
    actor: operator(keptText(by.name, NAME_LENGTH)),
    reason: keptTextOrNull(by.reason, NOTE_LENGTH),
    nowMs,
    requestId,
    movedFrom: null,
  });
  const declare: OperatorStateStore['declare'] = (resourceId, patch, by, context) => {
    const wrong = whyInvalid(patch);
    if (wrong !== null) throw new PatroldError('operator_state_invalid', wrong, { details: { resourceId } });
    const before = get(resourceId);
    const note = patch.note === undefined ? {} : { note: keptTextOrNull(patch.note, NOTE_LENGTH) };
    const state: OperatorState = { ...(before ?? nothingDeclared(resourceId)), ...patch, ...note };
    requests.once(context.requestId ?? null, JSON.stringify(['declare', resourceId, patch]), context.nowMs, () => {
      if (before === null || JSON.stringify(before) !== JSON.stringify(state))
        put(resourceId, state, changeBy('declared', by, context));
      return resourceId;
    });
    return get(resourceId) ?? state;
  };
  return {
    get,
    all: () =>
      new Map(
        orm
          .select()
          .from(operatorState)
          .all()
          .map((row) => [asResourceId(row.resourceId), fromRow(row)]),
      ),
    declare: (...request) => transact(() => declare(...request)),
    withdraw: (resourceId, by, context) =>
      transact(() => {
        requests.once(context.requestId ?? null, JSON.stringify(['withdraw', resourceId]), context.nowMs, () => {
          if (get(resourceId) === null)
            throw new PatroldError('operator_state_not_set', `nothing is declared about ${resourceId}`, {
              details: { resourceId },
            });
          put(resourceId, null, changeBy('withdrawn', by, context));
          return resourceId;
        });
      }),
    history: (resourceId) =>
      orm
        .select()
        .from(operatorStateHistory)
        .where(inArray(operatorStateHistory.resourceId, [...formerIds(resourceId)]))
        .orderBy(asc(operatorStateHistory.seq))
        .limit(MAX_CHANGES)
        .all()
        .map(changeFromRow),
    move: (from, into, nowMs) => {
      const moving = get(from);
      if (moving === null) return;
      const there = get(into);
      const change: Change = {
        kind: 'moved',
        actor: patrold,
        reason: `was ${from} before`,
        nowMs,
        requestId: null,
        movedFrom: from,
      };
      put(into, there === null ? { ...moving, resourceId: into } : mergeStates(there, moving), change);
      put(from, null, { ...change, reason: `is ${into} now`, movedFrom: null });
    },
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
