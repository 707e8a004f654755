import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drizzle, eq, integer, sql, sqliteTable, text } from '../../src/runtime/drizzle.ts';
import { prepareStatement } from '../../src/runtime/statement.ts';

const things = sqliteTable('things', { id: text('id').primaryKey(), size: integer('size'), note: text('note') });

let directory = '';
let sqlite: BetterSqlite3.Database;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'patrold-statement-'));
  sqlite = new BetterSqlite3(join(directory, 'db'));
  sqlite.exec('create table things (id text primary key, size integer, note text)');
});

afterEach(() => {
  sqlite.close();
  rmSync(directory, { recursive: true });
});

test('a built query runs with named parameters, and constants stay in their place', () => {
  const orm = drizzle({ client: sqlite });
  const insert = prepareStatement(
    sqlite,
    orm.insert(things).values({ id: sql.placeholder('id'), size: sql.placeholder('size'), note: 'constant' }),
  );
  expect(insert.run({ id: 'a', size: 3 }).changes).toBe(1);
  insert.run({ size: null, id: 'b' });
  const select = prepareStatement(
    sqlite,
    orm
      .select()
      .from(things)
      .where(eq(things.id, sql.placeholder('wanted'))),
  );
  expect(select.all({ wanted: 'a' })).toEqual([{ id: 'a', size: 3, note: 'constant' }]);
  expect(select.get({ wanted: 'b' })).toEqual({ id: 'b', size: null, note: 'constant' });
  expect(select.get({ wanted: 'c' })).toBeUndefined();
});

test('a missing parameter is an error that names it, not a null in the database', () => {
  const orm = drizzle({ client: sqlite });
  const insert = prepareStatement(sqlite, orm.insert(things).values({ id: sql.placeholder('id'), size: 1 }));
  expect(() => insert.run({})).toThrow('parameter id is missing');
});
