/** Which migrations a database has had, and whether this patrold may touch it. */
import type { Database as Sqlite } from 'better-sqlite3';
import { z } from 'zod';
import { PatroldError } from './errors.ts';
import type { Migration } from './migrations.ts';

/** Where drizzle keeps what it applied; its name and columns are drizzle's. */
export const MIGRATIONS_TABLE = '__drizzle_migrations';

export interface SchemaState {
  readonly isNew: boolean;
  readonly pending: readonly Migration[];
}

const namesSchema = z.array(z.string());
const instantsSchema = z.array(z.coerce.number());

/**
 * Reads only. Throws `database_foreign` when the tables are those of another program, and `database_newer` when a
 * migration was applied that is not in `known`.
 */
export const readSchemaState = (sqlite: Sqlite, path: string, known: readonly Migration[]): SchemaState => {
  const tables = namesSchema.parse(sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all());
  if (!tables.includes(MIGRATIONS_TABLE)) {
    if (tables.length === 0) return { isNew: true, pending: known };
    throw new PatroldError(
      'database_foreign',
      `database ${path} has tables, but none of patrold: ${tables.join(', ')}`,
      {
        details: { path },
      },
    );
  }
  const applied = instantsSchema.parse(sqlite.prepare(`SELECT created_at FROM ${MIGRATIONS_TABLE}`).pluck().all());
  const unknown = applied.filter((atMs) => !known.some(({ createdAtMs }) => createdAtMs === atMs));
  if (unknown.length > 0) throw newerError(path, unknown.length, known.at(-1)?.tag ?? 'none');
  return { isNew: applied.length === 0, pending: known.filter(({ createdAtMs }) => !applied.includes(createdAtMs)) };
};

const newerError = (path: string, unknownCount: number, newestKnown: string): PatroldError =>
  new PatroldError(
    'database_newer',
    `database ${path} was written by a newer patrold (${unknownCount} migrations beyond ${newestKnown}). ` +
      `Run that version, or put back a backup from before its migration: ${path}.before-*.bak`,
    { details: { path, unknownCount, newestKnown } },
  );
