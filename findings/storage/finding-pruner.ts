/**
 * Retention: what was over long ago is forgotten, whole findings and old episodes of living ones. The only code that
 * deletes history: it announces each finding in `history_pruning`, within its transaction, or the triggers refuse.
 */
import type { Database } from '../../src/runtime/database.ts';
import { and, asc, eq, inArray, isNotNull, lt, lte, ne, sql } from '../../src/runtime/drizzle.ts';
import type { FindingId } from '../finding.ts';
import { forgetBeforeMs, type RetentionLimits } from '../retention.ts';
import {
  episodes,
  evidence,
  findingAliases,
  findingHistory,
  findingMarks,
  findings,
  historyPruning,
} from '../schema.ts';
import type { FindingIds } from './finding-ids.ts';
import type { RequestLog } from './request-log.ts';
import type { SuppressionTable } from './suppression-table.ts';
import type { InTransaction } from './transaction.ts';

export interface Pruned {
  readonly findings: number;
  readonly episodes: number;
  /** The limit of one pass was reached: there is more. */
  readonly more: boolean;
  /** Why nothing was pruned; null: it was. */
  readonly skipped: string | null;
}

export interface PrunerDeps {
  readonly db: Database;
  readonly transact: InTransaction;
  readonly ids: FindingIds;
  readonly requests: RequestLog;
  readonly suppressions: SuppressionTable;
}

export type Prune = (nowMs: number, limits: RetentionLimits) => Pruned;

/** Between two passes of a running daemon lies a day; after more than this the clock may be wrong, and is asked again. */
export const TRUSTED_STEP_MS = 3 * 24 * 3_600_000;
const LAST_PASS = 'pruned';

export const createFindingPruner = ({ db, transact, ids, requests, suppressions }: PrunerDeps): Prune => {
  const { orm } = db;

  /** A clock that jumped ahead would make everything look old: one pass only notes the time then. */
  const whyDistrusted = (nowMs: number): string | null => {
    const last = orm.select().from(findingMarks).where(eq(findingMarks.name, LAST_PASS)).get()?.atMs;
    orm
      .insert(findingMarks)
      .values({ name: LAST_PASS, atMs: nowMs })
      .onConflictDoUpdate({ target: findingMarks.name, set: { atMs: nowMs } })
      .run();
    const stepMs = nowMs - (last ?? nowMs);
    return Math.abs(stepMs) > TRUSTED_STEP_MS
      ? `the clock moved by ${Math.round(stepMs / 3_600_000)} hours since the last pass`
      : null;
  };

  const deleteHistory = (id: FindingId, beforeMs: number, upToEpisode: number): void => {
    orm.insert(historyPruning).values({ findingId: id, beforeMs }).run();
    const old = and(
      eq(findingHistory.findingId, id),
      lt(findingHistory.atMs, beforeMs),
      lte(findingHistory.episode, upToEpisode),
    );
    orm.delete(findingHistory).where(old).run();
    orm.delete(historyPruning).where(eq(historyPruning.findingId, id)).run();
  };

  const forgetFinding = (id: FindingId): void => {
    for (const member of ids.family(id)) {
      deleteHistory(member, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
      orm.delete(evidence).where(eq(evidence.findingId, member)).run();
      orm.delete(episodes).where(eq(episodes.findingId, member)).run();
    }
    orm.delete(findingAliases).where(eq(findingAliases.findingId, id)).run();
    orm.delete(findings).where(eq(findings.id, id)).run();
  };

  const pruneFindings = (beforeMs: number, limit: number): number => {
    const old = and(eq(findings.state, 'resolved'), lt(findings.stateAtMs, beforeMs));
    const found = orm
      .select({ id: findings.id })
      .from(findings)
      .where(old)
      .orderBy(asc(findings.stateAtMs))
      .limit(limit)
      .all();
    for (const { id } of found) forgetFinding(id);
    return found.length;
  };

  const pruneEpisodes = (beforeMs: number, limit: number): number => {
    const old = and(isNotNull(episodes.endedAtMs), lt(episodes.endedAtMs, beforeMs));
    const found = orm
      .select({ findingId: episodes.findingId, number: episodes.number })
      .from(episodes)
      .where(old)
      .limit(limit)
      .all();
    for (const { findingId, number } of found) {
      deleteHistory(findingId, beforeMs, number);
      orm
        .delete(episodes)
        .where(and(eq(episodes.findingId, findingId), eq(episodes.number, number)))
        .run();
    }
    const touched = [...new Set(found.map(({ findingId }) => findingId))];
    if (touched.length > 0)
      orm
        .delete(evidence)
        .where(
          and(
            inArray(evidence.findingId, touched),
            eq(evidence.told, 1),
            lt(evidence.takenAtMs, beforeMs),
            ne(evidence.runId, citedRun),
          ),
        )
        .run();
    return found.length;
  };
  /** The run whose readings the finding stands on now. */
  const citedRun = sql`coalesce((select json_extract(${findings.evidence}, '$.runId') from ${findings} where ${findings.id} = ${evidence.findingId}), '')`;

  return (nowMs, limits) =>
    transact(() => {
      const skipped = whyDistrusted(nowMs);
      if (skipped !== null) return { findings: 0, episodes: 0, more: false, skipped };
      const beforeMs = forgetBeforeMs(limits, nowMs);
      const forgotten = pruneFindings(beforeMs, limits.maxPerPass);
      const ended = pruneEpisodes(beforeMs, limits.maxPerPass);
      requests.forgetBefore(nowMs - limits.keepRequestsMs);
      suppressions.forgetBefore(beforeMs);
      const more = forgotten === limits.maxPerPass || ended === limits.maxPerPass;
      return { findings: forgotten, episodes: ended, more, skipped: null };
    });
};
