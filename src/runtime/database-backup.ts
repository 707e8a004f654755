/** Copies of the database: complete, consistent, and on the disk before they get their name. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database as Sqlite } from 'better-sqlite3';
import { databaseError } from './database-error.ts';

/** Copies from before a migration that are kept; the oldest goes first. */
export const KEPT_MIGRATION_BACKUPS = 2;

const syncToDisk = (path: string): void => {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Writes a copy to `target`, mode 0600, replacing what is there; a failure leaves that as it was. */
export const backUpDatabase = (sqlite: Sqlite, target: string): void => {
  const partial = `${target}.partial`;
  try {
    rmSync(partial, { force: true });
    // SQLite fills an empty file and keeps its mode; one that it creates would be readable by everyone.
    closeSync(openSync(partial, 'wx', 0o600));
    sqlite.prepare('VACUUM INTO ?').run(partial);
    syncToDisk(partial);
    renameSync(partial, target);
    syncToDisk(dirname(target));
  } catch (cause) {
    rmSync(partial, { force: true });
    throw databaseError(cause, target);
  }
};

/** Writes `<path>.before-<tag>.bak` and removes all but the last {@link KEPT_MIGRATION_BACKUPS} such; returns its path. */
export const backUpBeforeMigration = (sqlite: Sqlite, path: string, tag: string): string => {
  const target = `${path}.before-${tag}.bak`;
  backUpDatabase(sqlite, target);
  const prefix = `${basename(path)}.before-`;
  const backups = readdirSync(dirname(path)).filter((name) => name.startsWith(prefix) && name.endsWith('.bak'));
  for (const old of backups.sort().slice(0, -KEPT_MIGRATION_BACKUPS)) rmSync(join(dirname(path), old), { force: true });
  return target;
};
