/** What was said in the loops of runs. */
import { index, integer, primaryKey, sqliteTable, text } from '../runtime/drizzle.ts';

export const transcripts = sqliteTable(
  'transcripts',
  {
    runId: text('run_id').notNull(),
    /** `patrol`, `evaluation`, `sweep 1`, … */
    loop: text('loop').notNull(),
    seq: integer('seq').notNull(),
    atMs: integer('at_ms').notNull(),
    kind: text('kind').notNull(),
    /** JSON of the entry. */
    body: text('body').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.loop, table.seq] }),
    index('transcripts_by_time').on(table.atMs),
  ],
);
