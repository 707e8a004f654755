/** Forgets what has been over for long enough; the only code that deletes history. */
import type { Database } from '../../src/runtime/database.ts';
import { and, asc, eq, inArray, lt } from '../../src/runtime/drizzle.ts';
import { forgetBeforeMs, type RetentionLimits } from '../retention.ts';
import { episodes, evidence, findingAliases, findingHistory, findings, historyPruning } from '../schema.ts';
import type { RequestLog } from './request-log.ts';
import type { SuppressionTable } from './suppression-table.ts';
import type { InTransaction } from './transaction.ts';

export interface PrunerDeps {
  readonly db: Database;
  readonly transact: InTransaction;
  readonly requests: RequestLog;
  readonly rules: SuppressionTable;
}

export type Prune = (limits: RetentionLimits, nowMs: number) => number;

export const createPruner = ({ db: { orm }, transact, requests, rules }: PrunerDeps): Prune => {
  const family = (id: string): readonly string[] => [
    id,
    ...orm
      .select({ id: findingAliases.id })
      .from(findingAliases)
      .where(eq(findingAliases.findingId, id))
      .all()
      .map((row) => row.id),
  ];
  const forget = (id: string, nowMs: number): void => {
    const ids = [...family(id)];
    for (const findingId of ids) {
      // Announces the deletion to the trigger that refuses all others; taken back in the same transaction.
      orm
        .insert(historyPruning)
        .values({ findingId, beforeMs: nowMs + 1 })
        .run();
      orm.delete(findingHistory).where(eq(findingHistory.findingId, findingId)).run();
      orm.delete(historyPruning).where(eq(historyPruning.findingId, findingId)).run();
    }
    orm.delete(evidence).where(inArray(evidence.findingId, ids)).run();
    orm.delete(episodes).where(inArray(episodes.findingId, ids)).run();
    orm.delete(findingAliases).where(eq(findingAliases.findingId, id)).run();
    orm.delete(findings).where(eq(findings.id, id)).run();
  };
  return (limits, nowMs) => {
    const beforeMs = forgetBeforeMs(limits, nowMs);
    const old = and(eq(findings.state, 'resolved'), lt(findings.stateAtMs, beforeMs));
    const ids = orm
      .select({ id: findings.id })
      .from(findings)
      .where(old)
      .orderBy(asc(findings.stateAtMs))
      .limit(limits.maxPerPass)
      .all();
    // One short transaction each: a pass that is killed has forgotten whole findings only.
    for (const { id } of ids) transact(() => forget(id, nowMs));
    transact(() => {
      requests.forgetBefore(nowMs - limits.keepRequestsMs);
      rules.forgetBefore(beforeMs);
    });
    return ids.length;
  };
};
