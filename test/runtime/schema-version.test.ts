import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { readMigrations } from '../../src/runtime/migrations.ts';
import { readSchemaState } from '../../src/runtime/schema-version.ts';
import { migrationsDirectory } from '../support/migrations-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const known = () => readMigrations(migrationsDirectory({ '0000_start': '', '0001_more': '', '0002_last': '' }));

const databaseWith = (...statements: string[]) => {
  const sqlite = new BetterSqlite3(join(temporaryDirectory(), 'a.db'));
  onTestFinished(() => {
    sqlite.close();
  });
  for (const statement of statements) sqlite.exec(statement);
  return sqlite;
};

const TABLE = 'CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)';
const applied = (index: number): string =>
  `INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('', ${1_700_000_000_000 + index})`;

test('an empty file is new, with every migration due', () => {
  const state = readSchemaState(databaseWith(), '/a.db', known());
  expect([state.isNew, state.pending.map(({ tag }) => tag)]).toEqual([true, ['0000_start', '0001_more', '0002_last']]);
});

test('only what was not applied is due, also a migration that was merged in between', () => {
  const state = readSchemaState(databaseWith(TABLE, applied(0), applied(2)), '/a.db', known());
  expect([state.isNew, state.pending.map(({ tag }) => tag)]).toEqual([false, ['0001_more']]);
});

test('one unknown migration is enough to be newer', () => {
  const sqlite = databaseWith(TABLE, applied(0), applied(7));
  expect(() => readSchemaState(sqlite, '/a.db', known())).toThrow(
    expect.objectContaining({
      code: 'database_newer',
      details: { path: '/a.db', unknownCount: 1, newestKnown: '0002_last' },
    }),
  );
});

test('tables without the record of migrations belong to another program', () => {
  expect(() => readSchemaState(databaseWith('CREATE TABLE theirs (x)'), '/a.db', known())).toThrow(
    expect.objectContaining({ code: 'database_foreign' }),
  );
});
