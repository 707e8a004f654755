import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { type OpenDatabaseOptions, openDatabase } from '../../src/runtime/database.ts';
import { sql } from '../../src/runtime/drizzle.ts';
import { migrationsDirectory } from '../support/migrations-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { asUnprivileged } from '../support/unprivileged.ts';

const PARENT_AND_CHILD = `CREATE TABLE parents (id TEXT PRIMARY KEY);
--> statement-breakpoint
CREATE TABLE children (id TEXT PRIMARY KEY, parent_id TEXT REFERENCES parents (id))`;

const open = (options: Partial<OpenDatabaseOptions> = {}) => {
  const database = openDatabase({
    path: join(temporaryDirectory(), 'patrold.db'),
    migrationsDirectory: migrationsDirectory({ '0000_start': PARENT_AND_CHILD }),
    ...options,
  });
  onTestFinished(() => database.close());
  return database;
};

/** What opening throws: its code and message. */
const refusal = (options: Partial<OpenDatabaseOptions>): { code: unknown; message: string } => {
  try {
    open(options);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('the database was opened');
};

/** The directory that lists descriptors is one itself, closed before it can be looked at. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });

test('a new database is made with its directory, for its owner alone, and migrated', () => {
  const directory = join(temporaryDirectory(), 'state', 'patrold');
  const { orm, path } = open({ path: join(directory, 'patrold.db') });
  expect(orm.all(sql`SELECT count(*) AS n FROM children`)).toEqual([{ n: 0 }]);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
  expect(readdirSync(directory).sort()).toEqual(['patrold.db', 'patrold.db-shm', 'patrold.db-wal']);
});

test('what is committed is on the disk before the statement returns, and references are enforced', () => {
  const { orm } = open();
  const pragma = (name: string): unknown => orm.values(sql.raw(`PRAGMA ${name}`))[0]?.[0];
  expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys'), pragma('busy_timeout')]).toEqual([
    'wal',
    2,
    1,
    5_000,
  ]);
  expect(() => orm.run(sql`INSERT INTO children VALUES ('c', 'nobody')`)).toThrow();
});

test('what was written is there when the database is opened again', () => {
  const path = join(temporaryDirectory(), 'patrold.db');
  const first = open({ path });
  first.orm.run(sql`INSERT INTO parents VALUES ('p')`);
  first.close();
  expect(open({ path }).orm.all(sql`SELECT id FROM parents`)).toEqual([{ id: 'p' }]);
});

test('a reader sees a writer’s commits, and can write nothing', () => {
  const writer = open();
  const reader = open({ path: writer.path, readonly: true });
  writer.orm.run(sql`INSERT INTO parents VALUES ('p')`);
  expect(reader.orm.all(sql`SELECT id FROM parents`)).toEqual([{ id: 'p' }]);
  expect(() => reader.orm.run(sql`DELETE FROM parents`)).toThrow();
});

test('a copy is complete and can be opened as a database', () => {
  const database = open();
  database.orm.run(sql`INSERT INTO parents VALUES ('p')`);
  const target = `${database.path}.copy`;
  database.backUpTo(target);
  expect(open({ path: target, readonly: true }).orm.all(sql`SELECT id FROM parents`)).toEqual([{ id: 'p' }]);
});

test('a file that is not a database is refused as that, and left as it was', () => {
  const path = join(temporaryDirectory(), 'patrold.db');
  const text = 'this is a text, and long enough that it can not be an empty database header. '.repeat(20);
  writeFileSync(path, text);
  expect(refusal({ path }).code).toBe('database_not_a_database');
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('the database of another program is refused as that, and left as it was', () => {
  const path = join(temporaryDirectory(), 'other.db');
  const other = new BetterSqlite3(path);
  other.exec('CREATE TABLE theirs (x)');
  other.close();
  const before = readFileSync(path);
  expect(refusal({ path }).code).toBe('database_foreign');
  expect(readFileSync(path).equals(before)).toBe(true);
});

test.each([false, true])('a path that can not be a database file is unreadable (readonly: %s)', (readonly) => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'file'), '');
  mkdirSync(join(directory, 'directory'));
  expect(refusal({ path: join(directory, 'file', 'patrold.db'), readonly }).code).toBe('database_unreadable');
  expect(refusal({ path: join(directory, 'directory'), readonly }).code).toBe('database_unreadable');
});

test('a missing database is not made by a reader', () => {
  const directory = temporaryDirectory();
  expect(refusal({ path: join(directory, 'patrold.db'), readonly: true }).code).toBe('database_unreadable');
  expect(refusal({ path: join(directory, 'none', 'patrold.db'), readonly: true }).code).toBe('database_unreadable');
  expect(readdirSync(directory)).toEqual([]);
});

test('a file of another user that can not be read is unreadable', () => {
  const directory = temporaryDirectory();
  chmodSync(directory, 0o777);
  const { path, close } = open({ path: join(directory, 'patrold.db') });
  close();
  chmodSync(path, 0o000);
  const migrations = migrationsDirectory({ '0000_start': PARENT_AND_CHILD });
  for (const each of [migrations, join(migrations, 'meta')]) chmodSync(each, 0o755);
  expect(asUnprivileged(() => refusal({ path, migrationsDirectory: migrations })).code).toBe('database_unreadable');
});

test.each([
  ['to make the file in', (directory: string) => join(directory, 'patrold.db')],
  ['to make the directory in', (directory: string) => join(directory, 'state', 'patrold.db')],
])('a read-only directory %s is told as that', (_title, pathIn) => {
  const directory = temporaryDirectory();
  const migrations = migrationsDirectory({ '0000_start': PARENT_AND_CHILD });
  chmodSync(migrations, 0o755);
  chmodSync(directory, 0o555);
  const { code, message } = asUnprivileged(() => refusal({ path: pathIn(directory), migrationsDirectory: migrations }));
  expect(code).toBe('database_read_only');
  expect(message).toContain(directory);
});

test('a database in a directory that became read-only is told as read-only, not as missing', () => {
  const directory = temporaryDirectory();
  const migrations = migrationsDirectory({ '0000_start': PARENT_AND_CHILD });
  chmodSync(migrations, 0o755);
  const { path, close } = open({ path: join(directory, 'patrold.db'), migrationsDirectory: migrations });
  close();
  chmodSync(path, 0o666);
  chmodSync(directory, 0o555);
  expect(asUnprivileged(() => refusal({ path, migrationsDirectory: migrations })).code).toBe('database_read_only');
});

test('a database without space for a migration is told as full', () => {
  const migrations = migrationsDirectory({
    '0000_start':
      'PRAGMA max_page_count = 4;\n--> statement-breakpoint\nCREATE TABLE a AS SELECT zeroblob(100000) AS x',
  });
  expect(refusal({ migrationsDirectory: migrations }).code).toBe('database_full');
});

test('a database that another process holds is told as locked, once the busy timeout is over', () => {
  const path = join(temporaryDirectory(), 'patrold.db');
  const holder = new BetterSqlite3(path);
  onTestFinished(() => {
    holder.close();
  });
  holder.exec('BEGIN EXCLUSIVE');
  expect(refusal({ path, busyTimeoutMs: 20 }).code).toBe('database_locked');
});

test('after a refusal the file is not held open', () => {
  const path = join(temporaryDirectory(), 'patrold.db');
  refusal({ path, migrationsDirectory: migrationsDirectory({ '0000_start': 'nonsense' }) });
  expect(openFiles()).not.toContain(path);
});
