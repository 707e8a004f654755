/** Requests for runs: persistent, merged where one run serves several, taken by priority, never dropped silently. */

import type { Database, Orm } from '../runtime/database.ts';
import { and, asc, desc, eq, gte, lt, sql } from '../runtime/drizzle.ts';
import { PatroldError } from '../runtime/errors.ts';
import type { RunKind, Trigger } from './run-record.ts';
import { runRequests } from './schema.ts';
import { type Scope, scopeKey } from './scope.ts';

/** Requests that may wait at the same time; merging keeps it far below unless a caller floods it. */
export const MAX_QUEUED = 100;

/** Runs that are started for one request before it is given up. */
const MAX_ATTEMPTS = 2;

/** Higher goes first: people wait, schedules don't. */
export const PRIORITIES: Readonly<Record<Trigger, number>> = {
  manual: 40,
  webhook: 30,
  catch_up: 20,
  warm_up: 15,
  schedule: 10,
};

export interface RunRequest {
  readonly id: string;
  readonly kind: RunKind;
  readonly trigger: Trigger;
  readonly scope: Scope | null;
}

export interface QueuedRequest extends RunRequest {
  readonly requestedAtMs: number;
  readonly state: 'queued' | 'claimed' | 'done' | 'cancelled';
  readonly merged: number;
  readonly runId: string | null;
  readonly reason: string | null;
}

export interface RunQueue {
  /** Durable when it returns: the id of the request that stands for this one. Throws `queue_full`. */
  add(request: Omit<RunRequest, 'id'>, nowMs: number): string;
  /** The next request, now claimed by `runId`. Only whoever holds the lease may call this. */
  claim(runId: string): QueuedRequest | null;
  /** False: somebody else took the request over meanwhile, and it is theirs to finish. */
  finish(claimed: Pick<QueuedRequest, 'id' | 'runId'>, state: 'done' | 'cancelled', reason: string | null): boolean;
  /**
   * Puts back what a crash left claimed, once: a run that ends the process twice is not asked for a third time.
   * Only whoever holds the lease may call this.
   */
  recover(): number;
  get(id: string): QueuedRequest | null;
  depth(): number;
  cancelQueued(id: string, reason: string): boolean;
  prune(beforeMs: number): void;
}

type Row = typeof runRequests.$inferSelect;

const fromRow = (row: Row): QueuedRequest => ({
  ...row,
  kind: row.kind as RunKind,
  trigger: row.trigger as Trigger,
  scope: row.scope === null ? null : (JSON.parse(row.scope) as Scope),
  state: row.state as QueuedRequest['state'],
});

/** A full patrol does all that a full watch does. */
const serves = (queued: QueuedRequest, wanted: Omit<RunRequest, 'id'>): boolean =>
  scopeKey(queued.scope) === scopeKey(wanted.scope) && (queued.kind === wanted.kind || queued.kind === 'patrol');

const claimNext = (orm: Orm, runId: string): QueuedRequest | null => {
  const next = orm
    .select()
    .from(runRequests)
    .where(eq(runRequests.state, 'queued'))
    .orderBy(desc(runRequests.priority), asc(runRequests.requestedAtMs), asc(runRequests.id))
    .limit(1)
    .get();
  if (next === undefined) return null;
  const claimed = { state: 'claimed', runId, attempts: next.attempts + 1 };
  orm.update(runRequests).set(claimed).where(eq(runRequests.id, next.id)).run();
  return fromRow({ ...next, ...claimed });
};

const recoverClaimed = (orm: Orm): number => {
  const left = eq(runRequests.state, 'claimed');
  const given = { state: 'cancelled', reason: 'its run was cut short twice' };
  orm
    .update(runRequests)
    .set(given)
    .where(and(left, gte(runRequests.attempts, MAX_ATTEMPTS)))
    .run();
  return orm.update(runRequests).set({ state: 'queued', runId: null }).where(left).run().changes;
};

export const createRunQueue = (db: Database, newId: () => string): RunQueue => {
  const { orm } = db;
  const waiting = (): QueuedRequest[] =>
    orm.select().from(runRequests).where(eq(runRequests.state, 'queued')).all().map(fromRow);

  const add = (request: Omit<RunRequest, 'id'>, nowMs: number): string => {
    const queued = waiting();
    const known = queued.find((candidate) => serves(candidate, request));
    const priority = PRIORITIES[request.trigger];
    if (known !== undefined) {
      // The run is made for whoever asked most urgently: what a person asked for is kept, even if it changes nothing.
      const urgent = priority > PRIORITIES[known.trigger] ? { priority, trigger: request.trigger } : {};
      orm
        .update(runRequests)
        .set({ merged: known.merged + 1, ...urgent })
        .where(eq(runRequests.id, known.id))
        .run();
      return known.id;
    }
    if (queued.length >= MAX_QUEUED) {
      throw new PatroldError('queue_full', `${queued.length} runs are waiting already`);
    }
    const id = newId();
    const { kind, trigger, scope } = request;
    orm
      .insert(runRequests)
      .values({
        id,
        kind,
        trigger,
        scope: scope === null ? null : JSON.stringify(scope),
        priority,
        requestedAtMs: nowMs,
        state: 'queued',
      })
      .run();
    return id;
  };

  return {
    add: (request, nowMs) => orm.transaction(() => add(request, nowMs), { behavior: 'immediate' }),
    claim: (runId) => orm.transaction(() => claimNext(orm, runId), { behavior: 'immediate' }),
    finish: ({ id, runId }, state, reason) =>
      runId !== null &&
      orm
        .update(runRequests)
        .set({ state, reason })
        .where(and(eq(runRequests.id, id), eq(runRequests.state, 'claimed'), eq(runRequests.runId, runId)))
        .run().changes > 0,
    recover: () => orm.transaction(() => recoverClaimed(orm), { behavior: 'immediate' }),
    get: (id) => {
      const row = orm.select().from(runRequests).where(eq(runRequests.id, id)).get();
      return row === undefined ? null : fromRow(row);
    },
    depth: () => waiting().length,
    cancelQueued: (id, reason) =>
      orm
        .update(runRequests)
        .set({ state: 'cancelled', reason })
        .where(and(eq(runRequests.id, id), eq(runRequests.state, 'queued')))
        .run().changes > 0,
    prune: (beforeMs) => {
      orm
        .delete(runRequests)
        .where(and(sql`${runRequests.state} in ('done', 'cancelled')`, lt(runRequests.requestedAtMs, beforeMs)))
        .run();
    },
  };
};
