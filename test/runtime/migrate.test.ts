import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/runtime/database.ts';
import { sql } from '../../src/runtime/drizzle.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { migrationsDirectory } from '../support/migrations-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const START = `CREATE TABLE parents (id TEXT PRIMARY KEY);
--> statement-breakpoint
CREATE TABLE children (id TEXT PRIMARY KEY, parent_id TEXT REFERENCES parents (id) ON DELETE CASCADE);
--> statement-breakpoint
INSERT INTO parents VALUES ('p');
--> statement-breakpoint
INSERT INTO children VALUES ('c', 'p')`;

/** How drizzle-kit changes a column: a new table, the rows copied, the old one dropped. */
const REBUILD = `PRAGMA foreign_keys=OFF;
--> statement-breakpoint
CREATE TABLE __new_parents (id TEXT PRIMARY KEY, name TEXT);
--> statement-breakpoint
INSERT INTO __new_parents (id) SELECT id FROM parents;
--> statement-breakpoint
DROP TABLE parents;
--> statement-breakpoint
ALTER TABLE __new_parents RENAME TO parents;
--> statement-breakpoint
PRAGMA foreign_keys=ON`;

const openAt = (path: string, migrations: Readonly<Record<string, string>>) =>
  openDatabase({ path, migrationsDirectory: migrationsDirectory(migrations) });

const openAndClose = (path: string, migrations: Readonly<Record<string, string>>): void =>
  openAt(path, migrations).close();

const backupsOf = (path: string): string[] => readdirSync(dirname(path)).filter((name) => name.endsWith('.bak'));

const newPath = (): string => join(temporaryDirectory(), 'patrold.db');

test('a new database needs no backup', () => {
  const path = newPath();
  openAndClose(path, { '0000_start': START });
  expect(backupsOf(path)).toEqual([]);
});

test('an older database is backed up under the name of the migration, then migrated', () => {
  const path = newPath();
  openAndClose(path, { '0000_start': START });
  const database = openAt(path, { '0000_start': START, '0001_notes': 'CREATE TABLE notes (x)' });
  expect(database.orm.all(sql`SELECT count(*) AS n FROM notes`)).toEqual([{ n: 0 }]);
  database.close();
  expect(backupsOf(path)).toEqual([`${basename(path)}.before-0001_notes.bak`]);
  openAndClose(`${path}.before-0001_notes.bak`, { '0000_start': START });
});

test('a database that is up to date is neither backed up nor written to', () => {
  const path = newPath();
  openAndClose(path, { '0000_start': START });
  const before = readFileSync(path);
  openAndClose(path, { '0000_start': START });
  expect(backupsOf(path)).toEqual([]);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a database of a newer patrold is refused with its path and the remedy, and left as it was', () => {
  const path = newPath();
  openAndClose(path, { '0000_start': START, '0001_notes': 'CREATE TABLE notes (x)' });
  const before = readFileSync(path);
  for (const readonly of [false, true]) {
    expect(() =>
      openDatabase({ path, readonly, migrationsDirectory: migrationsDirectory({ '0000_start': START }) }),
    ).toThrow(
      expect.objectContaining({
        code: 'database_newer',
        message: expect.stringMatching(new RegExp(`${path} .*newer.*Run that version, or put back a backup`)),
      }),
    );
  }
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('an older database is not opened for reading before it was migrated', () => {
  const path = newPath();
  openAndClose(path, { '0000_start': START });
  const migrations = migrationsDirectory({ '0000_start': START, '0001_notes': 'CREATE TABLE notes (x)' });
  expect(() => openDatabase({ path, readonly: true, migrationsDirectory: migrations })).toThrow(
    expect.objectContaining({ code: 'database_not_migrated' }),
  );
});

test('of several migrations that are due, all are applied or none', () => {
  const path = newPath();
  openAndClose(path, { '0000_start': START });
  const due = { '0000_start': START, '0001_notes': 'CREATE TABLE notes (x)', '0002_broken': 'nonsense' };
  expect(() => openAt(path, due)).toThrow(
    expect.objectContaining({ code: 'database_migration_failed', details: { path, tag: '0002_broken' } }),
  );
  const sqlite = new BetterSqlite3(path);
  expect(sqlite.prepare("SELECT name FROM sqlite_schema WHERE name = 'notes'").all()).toEqual([]);
  sqlite.close();
  expect(backupsOf(path)).toEqual([`${basename(path)}.before-0001_notes.bak`]);
  openAndClose(path, { '0000_start': START });
});

test('rebuilding a table does not delete what refers to its rows', () => {
  const path = newPath();
  openAndClose(path, { '0000_start': START });
  const database = openAt(path, { '0000_start': START, '0001_rebuild': REBUILD });
  expect(database.orm.all(sql`SELECT * FROM children`)).toEqual([{ id: 'c', parent_id: 'p' }]);
  expect(database.orm.values(sql`PRAGMA foreign_keys`)).toEqual([[1]]);
  database.close();
});

test('a migration that would leave rows without their parent is rolled back', () => {
  const path = newPath();
  openAndClose(path, { '0000_start': START });
  expect(() => openAt(path, { '0000_start': START, '0001_orphans': 'DELETE FROM parents' })).toThrow(
    expect.objectContaining({ code: 'database_migration_failed' }),
  );
  const database = openAt(path, { '0000_start': START });
  expect(database.orm.all(sql`SELECT id FROM parents`)).toEqual([{ id: 'p' }]);
  database.close();
});

test('a migration is logged with the place of the backup', () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const logger = createLogger({ level: 'info', clock: { nowMs: () => 0 }, stream });
  const path = newPath();
  for (const more of [{}, {}, { '0001_notes': 'CREATE TABLE notes (x)' }]) {
    openDatabase({ path, logger, migrationsDirectory: migrationsDirectory({ '0000_start': START, ...more }) }).close();
  }
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { msg: 'database created', migrations: ['0000_start'] },
    { msg: 'database migrated', migrations: ['0001_notes'], backup: `${path}.before-0001_notes.bak` },
  ]);
});

test('two processes that start at once migrate once, and both go on', async () => {
  const path = newPath();
  const directory = migrationsDirectory({ '0000_start': START });
  const script = `
    import { openDatabase } from ${JSON.stringify(new URL('../../src/runtime/database.ts', import.meta.url).href)};
    openDatabase({ path: ${JSON.stringify(path)}, migrationsDirectory: ${JSON.stringify(directory)} }).close();`;
  const starts = Array.from({ length: 3 }, () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    return once(child, 'exit');
  });
  expect(await Promise.all(starts)).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ]);
  expect(existsSync(path)).toBe(true);
  const database = openDatabase({ path, readonly: true, migrationsDirectory: directory });
  expect(database.orm.all(sql`SELECT count(*) AS n FROM __drizzle_migrations`)).toEqual([{ n: 1 }]);
  database.close();
});
