import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import * as orm from '../../src/runtime/drizzle.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('a schema and its queries work on a real file through the one module', () => {
  const sqlite = new BetterSqlite3(join(temporaryDirectory(), 'a.db'));
  sqlite.exec('CREATE TABLE things (id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL)');
  const things = orm.sqliteTable('things', { id: orm.text().primaryKey(), atMs: orm.integer('at_ms').notNull() });
  const db = orm.drizzle({ client: sqlite });
  db.insert(things)
    .values([
      { id: 'a', atMs: 1 },
      { id: 'b', atMs: 2 },
    ])
    .run();
  const rows = db
    .select()
    .from(things)
    .where(orm.and(orm.gt(things.atMs, 0), orm.inArray(things.id, ['a', 'b'])));
  expect(rows.orderBy(orm.desc(things.atMs)).all()).toEqual([
    { id: 'b', atMs: 2 },
    { id: 'a', atMs: 1 },
  ]);
  sqlite.close();
});

test('everything that the module offers is there', () => {
  for (const [name, value] of Object.entries(orm)) expect([name, typeof value]).toEqual([name, 'function']);
});

test('loading it costs less than 100 MB, so the ES modules were not loaded', () => {
  const script = `
    const before = process.memoryUsage().rss;
    await import(${JSON.stringify(new URL('../../src/runtime/drizzle.ts', import.meta.url).href)});
    console.log(process.memoryUsage().rss - before);`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(child.stderr).toBe('');
  expect(Number(child.stdout)).toBeLessThan(100_000_000);
});
