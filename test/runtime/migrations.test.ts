import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMigrations } from '../../src/runtime/migrations.ts';
import { migrationsDirectory } from '../support/migrations-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const TWO_STATEMENTS = 'CREATE TABLE a (x);\n--> statement-breakpoint\nCREATE TABLE b (x);';

test('migrations are read in the order of the journal, cut into statements and hashed as drizzle does', () => {
  const directory = migrationsDirectory({ '0000_start': TWO_STATEMENTS, '0001_more': 'CREATE TABLE c (x);' });
  const [first, second] = readMigrations(directory);
  expect(first).toEqual({
    tag: '0000_start',
    createdAtMs: 1_700_000_000_000,
    hash: createHash('sha256').update(TWO_STATEMENTS).digest('hex'),
    statements: ['CREATE TABLE a (x);\n', '\nCREATE TABLE b (x);'],
  });
  expect(second).toMatchObject({ tag: '0001_more', createdAtMs: 1_700_000_000_001 });
});

test.each([
  ['the journal is missing', (directory: string) => rmSync(join(directory, 'meta', '_journal.json'))],
  ['the journal is not JSON', (directory: string) => writeFileSync(join(directory, 'meta', '_journal.json'), '{')],
  [
    'the journal has another shape',
    (directory: string) => writeFileSync(join(directory, 'meta', '_journal.json'), '{}'),
  ],
  ['a file of the journal is missing', (directory: string) => rmSync(join(directory, '0000_start.sql'))],
])('an incomplete installation is refused by name when %s', (_title, damage) => {
  const directory = migrationsDirectory({ '0000_start': 'CREATE TABLE a (x);' });
  damage(directory);
  expect(() => readMigrations(directory)).toThrow(expect.objectContaining({ code: 'database_migrations_missing' }));
});

test('a directory that is not there is refused by name', () => {
  expect(() => readMigrations(join(temporaryDirectory(), 'none'))).toThrow(
    expect.objectContaining({ code: 'database_migrations_missing' }),
  );
});
