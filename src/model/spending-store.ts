/** What models have used, kept: limits of a day and of 30 days hold over restarts, and `patrold cost` shows it. */
import type { Database } from '../runtime/database.ts';
import { gte, lt, sql, sum } from '../runtime/drizzle.ts';
import type { SpendingLog } from './budget.ts';
import { modelSpending } from './schema.ts';

const DAY_MS = 86_400_000;

export interface SpentOnDay {
  /** The day in UTC, `2026-03-02`. */
  readonly day: string;
  readonly attempts: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** Of what had a price. */
  readonly costUsd: number;
  /** Attempts without a known price. */
  readonly unpriced: number;
}

export interface SpendingStore extends SpendingLog {
  /** Newest first, days without any use left out. */
  byDay(sinceMs: number): readonly SpentOnDay[];
  /** Returns how many entries went. */
  prune(beforeMs: number): number;
}

/** Longer than any limit looks back. */
export const SPENDING_KEPT_MS = 400 * DAY_MS;

export const createSpendingStore = (db: Database): SpendingStore => {
  const { orm } = db;
  const day = sql<string>`strftime('%Y-%m-%d', ${modelSpending.atMs} / 1000, 'unixepoch')`;
  return {
    charge: ({ atMs, usage, costUsd }) => {
      const { inputTokens, outputTokens, cachedInputTokens, estimated } = usage;
      orm
        .insert(modelSpending)
        .values({ atMs, inputTokens, outputTokens, cachedInputTokens, costUsd, estimated })
        .run();
    },
    spentSince: (sinceMs) => {
      const row = orm
        .select({
          tokens: sql<number>`coalesce(sum(${modelSpending.inputTokens} + ${modelSpending.outputTokens}), 0)`,
          costUsd: sql<number>`coalesce(sum(${modelSpending.costUsd}), 0)`,
        })
        .from(modelSpending)
        .where(gte(modelSpending.atMs, sinceMs))
        .get();
      return { tokens: row?.tokens ?? 0, costUsd: row?.costUsd ?? 0 };
    },
    byDay: (sinceMs) =>
      orm
        .select({
          day,
          attempts: sql<number>`count(*)`,
          inputTokens: sum(modelSpending.inputTokens).mapWith(Number),
          outputTokens: sum(modelSpending.outputTokens).mapWith(Number),
          cachedInputTokens: sum(modelSpending.cachedInputTokens).mapWith(Number),
          costUsd: sql<number>`coalesce(sum(${modelSpending.costUsd}), 0)`,
          unpriced: sql<number>`sum(${modelSpending.costUsd} is null)`,
        })
        .from(modelSpending)
        .where(gte(modelSpending.atMs, sinceMs))
        .groupBy(day)
        .orderBy(sql`${day} desc`)
        .all(),
    prune: (beforeMs) => orm.delete(modelSpending).where(lt(modelSpending.atMs, beforeMs)).run().changes,
  };
};
