/**
 * The only code that deletes history. It announces each finding in `history_pruning`, within its caller's transaction, or
 * the triggers refuse.
 */
import type { Database } from '../../src/runtime/database.ts';
import { and, asc, eq, inArray, isNotNull, lt, lte, ne, sql } from '../../src/runtime/drizzle.ts';
import type { FindingId } from '../finding.ts';
import {
  assessments,
  episodes,
  evidence,
  findingAliases,
  findingHistory,
  findings,
  historyPruning,
} from '../schema.ts';
import type { FindingIds } from './finding-ids.ts';

export interface FindingEraser {
  /** Whole findings that were resolved before that; says how many. */
  findings(beforeMs: number, limit: number): number;
  /** Episodes, of findings that go on, that ended before that. */
  episodes(beforeMs: number, limit: number): number;
}

const EVER = Number.MAX_SAFE_INTEGER;

export const createFindingEraser = ({ orm }: Database, ids: FindingIds): FindingEraser => {
  const eraseHistory = (id: FindingId, beforeMs: number, upToEpisode: number): void => {
    orm.insert(historyPruning).values({ findingId: id, beforeMs }).run();
    const old = [lt(findingHistory.atMs, beforeMs), lte(findingHistory.episode, upToEpisode)];
    orm
      .delete(findingHistory)
      .where(and(eq(findingHistory.findingId, id), ...old))
      .run();
    orm.delete(historyPruning).where(eq(historyPruning.findingId, id)).run();
  };

  const eraseFinding = (id: FindingId): void => {
    for (const member of ids.family(id)) {
      eraseHistory(member, EVER, EVER);
      orm.delete(evidence).where(eq(evidence.findingId, member)).run();
      orm.delete(episodes).where(eq(episodes.findingId, member)).run();
      orm.delete(assessments).where(eq(assessments.findingId, member)).run();
    }
    orm.delete(findingAliases).where(eq(findingAliases.findingId, id)).run();
    orm.delete(findings).where(eq(findings.id, id)).run();
  };

  /** What old history told of; not what the finding stands on now. */
  const eraseEvidence = (of: readonly FindingId[], beforeMs: number): void => {
    const cited = sql`coalesce((select json_extract(${findings.evidence}, '$.runId') from ${findings} where ${findings.id} = ${evidence.findingId}), '')`;
    const told = [eq(evidence.told, 1), lt(evidence.takenAtMs, beforeMs), ne(evidence.runId, cited)];
    orm
      .delete(evidence)
      .where(and(inArray(evidence.findingId, [...of]), ...told))
      .run();
  };

  return {
    findings: (beforeMs, limit) => {
      const old = and(eq(findings.state, 'resolved'), lt(findings.stateAtMs, beforeMs));
      const order = asc(findings.stateAtMs);
      const found = orm.select({ id: findings.id }).from(findings).where(old).orderBy(order).limit(limit).all();
      for (const { id } of found) eraseFinding(id);
      return found.length;
    },
    episodes: (beforeMs, limit) => {
      const columns = { id: episodes.findingId, number: episodes.number };
      const old = and(isNotNull(episodes.endedAtMs), lt(episodes.endedAtMs, beforeMs));
      const found = orm.select(columns).from(episodes).where(old).limit(limit).all();
      for (const { id, number } of found) {
        eraseHistory(id, beforeMs, number);
        orm
          .delete(assessments)
          .where(and(eq(assessments.findingId, id), lt(assessments.atMs, beforeMs)))
          .run();
        orm
          .delete(episodes)
          .where(and(eq(episodes.findingId, id), eq(episodes.number, number)))
          .run();
      }
      eraseEvidence([...new Set(found.map(({ id }) => id))], beforeMs);
      return found.length;
    },
  };
};
