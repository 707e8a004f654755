/** Retention: what was over long ago is forgotten, whole findings and old episodes of those that go on. */
import type { Database } from '../../src/runtime/database.ts';
import { eq } from '../../src/runtime/drizzle.ts';
import { forgetBeforeMs, type RetentionLimits } from '../retention.ts';
import { findingMarks } from '../schema.ts';
import { createFindingEraser } from './finding-eraser.ts';
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
  const erase = createFindingEraser(db, ids);
  return (nowMs, limits) =>
    transact(() => {
      const skipped = whyDistrusted(db, nowMs);
      if (skipped !== null) return { findings: 0, episodes: 0, more: false, skipped };
      const beforeMs = forgetBeforeMs(limits, nowMs);
      const forgotten = erase.findings(beforeMs, limits.maxPerPass);
      const ended = erase.episodes(beforeMs, limits.maxPerPass);
      requests.forgetBefore(nowMs - limits.keepRequestsMs);
      suppressions.forgetBefore(beforeMs);
      const more = forgotten === limits.maxPerPass || ended === limits.maxPerPass;
      return { findings: forgotten, episodes: ended, more, skipped: null };
    });
};

/** A clock that jumped ahead would make everything look old: such a pass only notes the time. */
const whyDistrusted = ({ orm }: Database, nowMs: number): string | null => {
  const last = orm.select().from(findingMarks).where(eq(findingMarks.name, LAST_PASS)).get()?.atMs;
  const mark = { name: LAST_PASS, atMs: nowMs };
  orm.insert(findingMarks).values(mark).onConflictDoUpdate({ target: findingMarks.name, set: mark }).run();
  const stepMs = nowMs - (last ?? nowMs);
  if (Math.abs(stepMs) <= TRUSTED_STEP_MS) return null;
  return `the clock moved by ${Math.round(stepMs / 3_600_000)} hours since the last pass`;
};
