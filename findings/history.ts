/**
 * The append-only history of findings. Triggers (migrations/0001_history_append_only.sql) refuse every update, and every
 * delete that is not announced in `history_pruning` within the same transaction, which only retention does.
 */
import type { Facts } from '../signals/resource.ts';
import type { Database } from '../src/runtime/database.ts';
import { and, asc, gt, inArray } from '../src/runtime/drizzle.ts';
import type { FindingId, RunId } from './finding.ts';
import type { Actor, Entry, EntryKind } from './history-entry.ts';
import { findingHistory } from './schema.ts';
import { parameters } from './storage/columns.ts';

export interface HistoryRow extends Entry {
  /** Ascends over all findings; a reader of the feed goes on from the last one it has. */
  readonly seq: number;
  /** The finding that it was written for; since merged into another one, perhaps. */
  readonly findingId: FindingId;
  readonly runId: RunId | null;
  readonly requestId: string | null;
}

export interface HistoryOrigin {
  readonly runId: RunId | null;
  readonly requestId: string | null;
}

export interface History {
  append(findingId: FindingId, entries: readonly Entry[], origin: HistoryOrigin): void;
  /** Oldest first, at most `limit`, after `afterSeq`. */
  of(ids: readonly FindingId[], afterSeq: number, limit: number): readonly HistoryRow[];
  /** Rows of all findings. */
  since(afterSeq: number, limit: number): readonly HistoryRow[];
}

export const createHistory = ({ orm, prepare }: Database): History => {
  const { seq: _, ...columns } = parameters(findingHistory);
  const insert = prepare(orm.insert(findingHistory).values(columns));
  return {
    append: (findingId, entries, { runId, requestId }) => {
      for (const { kind, episode, atMs, actor, reason, data } of entries) {
        insert.run({
          findingId,
          episode,
          atMs,
          kind,
          actorKind: actor.kind,
          actorName: actor.name,
          reason,
          data: isEmpty(data) ? null : JSON.stringify(data),
          runId,
          requestId,
        });
      }
    },
    of: (ids, afterSeq, limit) =>
      orm
        .select()
        .from(findingHistory)
        .where(and(inArray(findingHistory.findingId, [...ids]), gt(findingHistory.seq, afterSeq)))
        .orderBy(asc(findingHistory.seq))
        .limit(limit)
        .all()
        .map(fromRow),
    since: (afterSeq, limit) =>
      orm
        .select()
        .from(findingHistory)
        .where(gt(findingHistory.seq, afterSeq))
        .orderBy(asc(findingHistory.seq))
        .limit(limit)
        .all()
        .map(fromRow),
  };
};

const isEmpty = (data: Facts): boolean => {
  for (const _ in data) return false;
  return true;
};

const fromRow = (row: typeof findingHistory.$inferSelect): HistoryRow => ({
  seq: row.seq,
  findingId: row.findingId,
  kind: row.kind as EntryKind,
  episode: row.episode,
  atMs: row.atMs,
  actor: { kind: row.actorKind as Actor['kind'], name: row.actorName },
  reason: row.reason,
  data: row.data === null ? {} : (JSON.parse(row.data) as Facts),
  runId: row.runId,
  requestId: row.requestId,
});
