import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { backUpBeforeMigration, backUpDatabase, KEPT_MIGRATION_BACKUPS } from '../../src/runtime/database-backup.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const database = () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'patrold.db');
  const sqlite = new BetterSqlite3(path);
  onTestFinished(() => {
    sqlite.close();
  });
  sqlite.pragma('journal_mode = WAL');
  sqlite.exec("CREATE TABLE a (x); INSERT INTO a VALUES ('kept')");
  return { directory, path, sqlite };
};

const readBack = (path: string): unknown => {
  const copy = new BetterSqlite3(path, { readonly: true });
  const value = copy.prepare('SELECT x FROM a').pluck().get();
  copy.close();
  return value;
};

test('a backup is complete, includes what is still in the log, and is for its owner alone', () => {
  const { directory, sqlite } = database();
  const target = join(directory, 'copy.db');
  backUpDatabase(sqlite, target);
  expect(readBack(target)).toBe('kept');
  expect(statSync(target).mode & 0o777).toBe(0o600);
});

test('a backup replaces an earlier one, and the left-over of one that was cut off', () => {
  const { directory, sqlite } = database();
  const target = join(directory, 'copy.db');
  writeFileSync(target, 'earlier');
  writeFileSync(`${target}.partial`, 'cut off');
  backUpDatabase(sqlite, target);
  expect(readBack(target)).toBe('kept');
  expect(existsSync(`${target}.partial`)).toBe(false);
});

test('a backup that fails is told by code, and leaves nothing half written', () => {
  const { directory, sqlite } = database();
  mkdirSync(join(directory, 'taken'));
  expect(() => backUpDatabase(sqlite, join(directory, 'taken'))).toThrow(
    expect.objectContaining({ code: 'database_unreadable' }),
  );
  expect(() => backUpDatabase(sqlite, join(directory, 'none', 'copy.db'))).toThrow(
    expect.objectContaining({ code: 'database_unreadable' }),
  );
  expect(readdirSync(directory).filter((name) => name.endsWith('.partial'))).toEqual([]);
});

test('of the backups before migrations the last are kept, and no other file is touched', () => {
  const { directory, path, sqlite } = database();
  writeFileSync(join(directory, 'patrold.db.before-notes.txt'), '');
  for (const tag of ['0001_one', '0002_two', '0003_three']) backUpBeforeMigration(sqlite, path, tag);
  const backups = readdirSync(directory).filter((name) => name.endsWith('.bak'));
  expect(backups.sort()).toEqual(['patrold.db.before-0002_two.bak', 'patrold.db.before-0003_three.bak']);
  expect(backups).toHaveLength(KEPT_MIGRATION_BACKUPS);
  expect(existsSync(join(directory, 'patrold.db.before-notes.txt'))).toBe(true);
});
