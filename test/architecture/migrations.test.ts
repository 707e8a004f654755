/** Migrations say what the schemas say, in an order that every database can follow. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { readMigrations } from '../../src/runtime/migrations.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { CHECKOUT } from './source-tree.ts';

const MIGRATIONS = join(CHECKOUT, 'migrations');
/** Until the first one is generated there is nothing to compare. */
const exist = existsSync(join(MIGRATIONS, 'meta', '_journal.json'));

/** Generates into a copy; returns what drizzle-kit said where it went wrong, and the names of the migrations there. */
const generateInto = (out: string) => {
  const config = join(temporaryDirectory(), 'drizzle.config.ts');
  const schema = ['findings/schema.ts', 'src/*/schema.ts'].map((glob) => join(CHECKOUT, glob));
  writeFileSync(
    config,
    `export default ${JSON.stringify({ dialect: 'sqlite', schema, out: relative(CHECKOUT, out) })};`,
  );
  const kit = join(CHECKOUT, 'node_modules', '.bin', 'drizzle-kit');
  const { status, stdout, stderr } = spawnSync(process.execPath, [kit, 'generate', '--config', config], {
    cwd: CHECKOUT,
    encoding: 'utf8',
  });
  return {
    said: status === 0 ? '' : stdout + stderr,
    names: readdirSync(out)
      .filter((name) => name.endsWith('.sql'))
      .sort(),
  };
};

test('generating migrations from the schemas adds nothing', () => {
  if (!exist) return;
  const out = join(temporaryDirectory(), 'migrations');
  cpSync(MIGRATIONS, out, { recursive: true });
  const before = readdirSync(out)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  expect(generateInto(out)).toEqual({ said: '', names: before });
});

test('each migration is later than the one before', () => {
  if (!exist) return;
  const instants = readMigrations(MIGRATIONS).map(({ createdAtMs }) => createdAtMs);
  expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b));
});
