/** What operators declare about resources, once each, with an append-only history. */
import type { ResourceId } from '../../signals/resource.ts';
import { PatroldError } from '../../src/runtime/errors.ts';
import { operator, patrold } from '../history-entry.ts';
import {
  mergeStates,
  nothingDeclared,
  type OperatorState,
  type OperatorStatePatch,
  whyInvalid,
} from '../operator-state.ts';
import type { RequestContext } from './context.ts';
import { keptText, keptTextOrNull, NAME_LENGTH, NOTE_LENGTH } from './kept-text.ts';
import type { NewChange, OperatorStateChange, OperatorStateTable } from './operator-state-table.ts';
import type { RequestLog } from './request-log.ts';
import type { InTransaction } from './transaction.ts';

export interface Declarer {
  readonly name: string;
  readonly reason: string | null;
}

export interface OperatorStateStore {
  /** Null: nothing is declared. */
  get(resourceId: ResourceId): OperatorState | null;
  all(): ReadonlyMap<ResourceId, OperatorState>;
  /** Changes what is given and keeps the rest. Throws `operator_state_invalid`. */
  declare(resourceId: ResourceId, patch: OperatorStatePatch, by: Declarer, context: RequestContext): OperatorState;
  /** Throws `operator_state_not_set`. */
  withdraw(resourceId: ResourceId, by: Declarer, context: RequestContext): void;
  /** Oldest first, from before it had this id too. */
  history(resourceId: ResourceId): readonly OperatorStateChange[];
  /** The caller holds the transaction. */
  move(from: ResourceId, into: ResourceId, nowMs: number): void;
}

export interface OperatorStateDeps {
  readonly table: OperatorStateTable;
  readonly transact: InTransaction;
  readonly requests: RequestLog;
}

export const createOperatorStateStore = ({ table, transact, requests }: OperatorStateDeps): OperatorStateStore => {
  const declare: OperatorStateStore['declare'] = (resourceId, patch, by, context) => {
    const wrong = whyInvalid(patch);
    if (wrong !== null) throw new PatroldError('operator_state_invalid', wrong, { details: { resourceId } });
    const before = table.get(resourceId);
    const note = patch.note === undefined ? {} : { note: keptTextOrNull(patch.note, NOTE_LENGTH) };
    const state: OperatorState = { ...(before ?? nothingDeclared(resourceId)), ...patch, ...note };
    requests.once(context.requestId ?? null, JSON.stringify(['declare', resourceId, patch]), context.nowMs, () => {
      const same = before !== null && JSON.stringify(before) === JSON.stringify(state);
      if (!same) table.put(resourceId, state, changeBy('declared', by, context));
      return resourceId;
    });
    return table.get(resourceId) ?? nothingDeclared(resourceId);
  };
  const withdraw: OperatorStateStore['withdraw'] = (resourceId, by, context) => {
    requests.once(context.requestId ?? null, JSON.stringify(['withdraw', resourceId]), context.nowMs, () => {
      if (table.get(resourceId) === null) throw notSet(resourceId);
      table.put(resourceId, null, changeBy('withdrawn', by, context));
      return resourceId;
    });
  };
  return {
    get: table.get,
    all: table.all,
    history: table.history,
    declare: (...request) => transact(() => declare(...request)),
    withdraw: (...request) => transact(() => withdraw(...request)),
    move: (from, into, nowMs) => {
      const moving = table.get(from);
      if (moving === null) return;
      const there = table.get(into);
      const change = { kind: 'moved', actor: patrold, nowMs, requestId: null } as const;
      const state = there === null ? { ...moving, resourceId: into } : mergeStates(there, moving);
      table.put(into, state, { ...change, reason: `was ${from} before`, movedFrom: from });
      table.put(from, null, { ...change, reason: `is ${into} now`, movedFrom: null });
    },
  };
};

const notSet = (resourceId: ResourceId): PatroldError =>
  new PatroldError('operator_state_not_set', `nothing is declared about ${resourceId}`, { details: { resourceId } });

const changeBy = (
  kind: NewChange['kind'],
  { name, reason }: Declarer,
  { nowMs, requestId = null }: RequestContext,
): NewChange => ({
  kind,
  actor: operator(keptText(name, NAME_LENGTH)),
  reason: keptTextOrNull(reason, NOTE_LENGTH),
  nowMs,
  requestId,
  movedFrom: null,
});
