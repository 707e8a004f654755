import { openSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { databaseError } from '../../src/runtime/database-error.ts';
import { PatroldError } from '../../src/runtime/errors.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const caught = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

test('a full database is named, with its path and the cause', () => {
  const path = join(temporaryDirectory(), 'a.db');
  const sqlite = new BetterSqlite3(path);
  sqlite.exec('CREATE TABLE a (x)');
  sqlite.pragma('max_page_count = 2');
  const cause = caught(() => sqlite.prepare('INSERT INTO a VALUES (zeroblob(100000))').run());
  sqlite.close();
  expect(databaseError(cause, path)).toMatchObject({ code: 'database_full', cause, details: { path } });
});

test.each([
  ['SQLITE_NOTADB', 'database_not_a_database'],
  ['SQLITE_CORRUPT_VTAB', 'database_not_a_database'],
  ['SQLITE_READONLY_DIRECTORY', 'database_read_only'],
  ['SQLITE_BUSY_SNAPSHOT', 'database_locked'],
  ['SQLITE_CANTOPEN_ISDIR', 'database_unreadable'],
  ['SQLITE_IOERR_FSYNC', 'database_io'],
])('the extended result %s is told as %s', (result, code) => {
  expect(databaseError(new BetterSqlite3.SqliteError('message', result), '/x.db')).toMatchObject({ code });
});

test('what the file system refuses is told too', () => {
  const cause = caught(() => openSync(join(temporaryDirectory(), 'none', 'a.db'), 'wx'));
  expect(databaseError(cause, '/x.db')).toMatchObject({ code: 'database_unreadable', cause });
});

test('a coded error, a violated constraint and a bug come back as they are', () => {
  const others = [
    new PatroldError('database_newer', 'newer'),
    new BetterSqlite3.SqliteError('UNIQUE constraint failed', 'SQLITE_CONSTRAINT_UNIQUE'),
    new TypeError('bug'),
    'text',
  ];
  for (const other of others) expect(databaseError(other, '/x.db')).toBe(other);
});
