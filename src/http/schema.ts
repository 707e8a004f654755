/** Table of the tokens that let people and programs in over HTTP. */
import { integer, sqliteTable, text, uniqueIndex } from '../runtime/drizzle.ts';

export const tokens = sqliteTable(
  'tokens',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** JSON list. */
    scopes: text('scopes').notNull(),
    /** SHA-256 of the secret in hex; the secret itself is kept nowhere. */
    secretHash: text('secret_hash').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    /** Coarse: brought up to date at most once in ten minutes. */
    lastUsedAtMs: integer('last_used_at_ms'),
    revokedAtMs: integer('revoked_at_ms'),
  },
  (table) => [uniqueIndex('tokens_secret').on(table.secretHash)],
);
