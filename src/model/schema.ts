/** What models have used, attempt by attempt. */
import { index, integer, real, sqliteTable } from '../runtime/drizzle.ts';

export const modelSpending = sqliteTable(
  'model_spending',
  {
    id: integer('id').primaryKey(),
    atMs: integer('at_ms').notNull(),
    inputTokens: integer('input_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    cachedInputTokens: integer('cached_input_tokens').notNull(),
    /** Null: the price was not known. */
    costUsd: real('cost_usd'),
    /** Counted by patrold, because the provider did not say. */
    estimated: integer('estimated', { mode: 'boolean' }).notNull(),
  },
  (table) => [index('model_spending_by_time').on(table.atMs)],
);
