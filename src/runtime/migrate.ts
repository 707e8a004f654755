/** Brings a database to the schema of this patrold: backed up first, all or nothing. */
import type { Database as Sqlite } from 'better-sqlite3';
import { backUpBeforeMigration } from './database-backup.ts';
import { databaseError } from './database-error.ts';
import { PatroldError } from './errors.ts';
import type { Logger } from './logger.ts';
import type { Migration } from './migrations.ts';
import { MIGRATIONS_TABLE, readSchemaState } from './schema-version.ts';

interface MigrateDeps {
  readonly sqlite: Sqlite;
  readonly path: string;
  readonly known: readonly Migration[];
  readonly logger?: Logger | undefined;
}

const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (
  id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric
)`;

const applyOne = (sqlite: Sqlite, { tag, statements, hash, createdAtMs }: Migration, path: string): void => {
  try {
    for (const statement of statements) sqlite.exec(statement);
  } catch (cause) {
    const known = databaseError(cause, path);
    if (known instanceof PatroldError) throw known;
    throw new PatroldError('database_migration_failed', `migration ${tag} of ${path} failed`, {
      cause,
      details: { path, tag },
    });
  }
  sqlite.prepare(`INSERT INTO ${MIGRATIONS_TABLE} (hash, created_at) VALUES (?, ?)`).run(hash, createdAtMs);
};

const checkReferences = (sqlite: Sqlite, path: string): void => {
  const broken = sqlite.prepare('SELECT count(*) FROM pragma_foreign_key_check').pluck().get();
  if (broken === 0) return;
  throw new PatroldError(
    'database_migration_failed',
    `migrating ${path} would leave ${broken} rows without their parent`,
    {
      details: { path },
    },
  );
};

/** All pending migrations in one transaction, or none of them. */
const applyPending = ({ sqlite, path, known }: MigrateDeps): void => {
  const apply = sqlite.transaction(() => {
    sqlite.exec(CREATE_MIGRATIONS_TABLE);
    // Read again under the lock: another process may have migrated since.
    for (const migration of readSchemaState(sqlite, path, known).pending) applyOne(sqlite, migration, path);
    checkReferences(sqlite, path);
  });
  // A table is rebuilt by dropping the old one, which would delete what refers to it; references are checked above.
  sqlite.pragma('foreign_keys = OFF');
  try {
    apply.immediate();
  } finally {
    sqlite.pragma('foreign_keys = ON');
  }
};

/** Throws `database_newer`, `database_foreign` or `database_migration_failed`; then the database is as it was. */
export const migrateDatabase = (deps: MigrateDeps): void => {
  const { sqlite, path, known, logger } = deps;
  const { isNew, pending } = readSchemaState(sqlite, path, known);
  const [first] = pending;
  if (first === undefined) return;
  const backup = isNew ? undefined : backUpBeforeMigration(sqlite, path, first.tag);
  applyPending(deps);
  logger?.info(
    { path, backup, migrations: pending.map(({ tag }) => tag) },
    isNew ? 'database created' : 'database migrated',
  );
};
