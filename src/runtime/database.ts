/** Opens patrold's database: one SQLite file, durable, migrated, and refused when it is not ours to touch. */
import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3, { type Database as Sqlite } from 'better-sqlite3';
import { backUpDatabase } from './database-backup.ts';
import { databaseError } from './database-error.ts';
import { type BetterSQLite3Database, drizzle } from './drizzle.ts';
import { PatroldError } from './errors.ts';
import type { Logger } from './logger.ts';
import { migrateDatabase } from './migrate.ts';
import { type Migration, readMigrations } from './migrations.ts';
import { packageRoot } from './package-root.ts';
import { readSchemaState } from './schema-version.ts';
import { type BuiltQuery, prepareStatement, type Statement } from './statement.ts';

/** What stores are given. */
export type Orm = BetterSQLite3Database;

export interface Database {
  readonly path: string;
  /**
   * Queries, synchronous. A transaction that writes begins with `orm.transaction(run, { behavior: 'immediate' })`: one
   * that reads first and writes later fails when another process wrote meanwhile.
   */
  readonly orm: Orm;
  /** A statement of drizzle's builder for hot paths; it takes part in whatever transaction is open. */
  prepare(query: BuiltQuery): Statement;
  /** Writes a complete copy to `target`, mode 0600, replacing what is there. */
  backUpTo(target: string): void;
  close(): void;
}

export interface OpenDatabaseOptions {
  readonly path: string;
  /** Opens an existing, migrated database without ever writing to it. */
  readonly readonly?: boolean;
  /** How long a statement waits for another process; the event loop waits with it. */
  readonly busyTimeoutMs?: number;
  /** patrold's own unless given. */
  readonly migrationsDirectory?: string;
  readonly logger?: Logger;
}

export const BUSY_TIMEOUT_MS = 5_000;

/** Makes the directory and the file, for this user alone; throws when there is no writing to the directory. */
const prepareFile = (path: string): void => {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // SQLite needs files beside the database, and says no more than "unable to open" when it can't make them.
  const probe = join(directory, '.patrold-write-probe');
  closeSync(openSync(probe, 'w', 0o600));
  rmSync(probe, { force: true });
  try {
    // Never opens a file that is there: closing it would drop the locks that SQLite holds on it in this process.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
};

const requireFile = (path: string): void => {
  if (statSync(path).isFile()) return;
  throw new PatroldError('database_unreadable', `database ${path} is not a file`, { details: { path } });
};

const makeDurable = (sqlite: Sqlite, path: string): void => {
  if (sqlite.pragma('journal_mode = WAL', { simple: true }) !== 'wal') {
    throw new PatroldError('database_io', `the file system of ${path} can not hold a write-ahead log`, {
      details: { path },
    });
  }
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
};

const openForWriting = (sqlite: Sqlite, path: string, known: readonly Migration[], logger?: Logger): void => {
  // Before the first write: a database that is refused stays as it was, to the byte.
  readSchemaState(sqlite, path, known);
  makeDurable(sqlite, path);
  migrateDatabase({ sqlite, path, known, logger });
};

const openForReading = (sqlite: Sqlite, path: string, known: readonly Migration[]): void => {
  const { pending } = readSchemaState(sqlite, path, known);
  if (pending.length === 0) return;
  throw new PatroldError('database_not_migrated', `database ${path} lacks ${pending.length} migrations`, {
    details: { path, pendingCount: pending.length },
  });
};

/**
 * Throws a PatroldError with a `database_*` code, after which nothing is left open. A pending migration is applied after
 * a backup to `<path>.before-<migration>.bak`.
 */
export const openDatabase = (options: OpenDatabaseOptions): Database => {
  const { path, readonly = false, busyTimeoutMs = BUSY_TIMEOUT_MS, logger } = options;
  const known = readMigrations(options.migrationsDirectory ?? join(packageRoot(), 'migrations'));
  let sqlite: Sqlite | undefined;
  try {
    if (!readonly) prepareFile(path);
    requireFile(path);
    sqlite = new BetterSqlite3(path, { readonly, fileMustExist: true, timeout: busyTimeoutMs });
    if (readonly) openForReading(sqlite, path, known);
    else openForWriting(sqlite, path, known, logger);
  } catch (cause) {
    sqlite?.close();
    throw databaseError(cause, path);
  }
  const opened = sqlite;
  return {
    path,
    orm: drizzle({ client: opened }),
    prepare: (query) => prepareStatement(opened, query),
    backUpTo: (target) => backUpDatabase(opened, target),
    close: () => {
      opened.close();
    },
  };
};

/** A database that lives as long as the process: for looking at things where nothing can be kept. */
export const openVolatileDatabase = (migrationsDirectory?: string): Database => {
  const path = ':memory:';
  const sqlite = new BetterSqlite3(path);
  const known = readMigrations(migrationsDirectory ?? join(packageRoot(), 'migrations'));
  readSchemaState(sqlite, path, known);
  migrateDatabase({ sqlite, path, known, logger: undefined });
  return {
    path,
    orm: drizzle({ client: sqlite }),
    prepare: (query) => prepareStatement(sqlite, query),
    backUpTo: (target) => backUpDatabase(sqlite, target),
    close: () => {
      sqlite.close();
    },
  };
};
