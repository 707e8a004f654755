/** Migrations of a test's own, in the form that drizzle-kit writes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary-directory.ts';

/** Tags with their SQL, in order; statements are parted by drizzle's breakpoint comment. */
export const migrationsDirectory = (migrations: Readonly<Record<string, string>>): string => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'meta'));
  const entries = Object.entries(migrations).map(([tag, sql], idx) => {
    writeFileSync(join(directory, `${tag}.sql`), sql);
    return { idx, version: '6', when: 1_700_000_000_000 + idx, tag, breakpoints: true };
  });
  writeFileSync(join(directory, 'meta', '_journal.json'), JSON.stringify({ version: '7', dialect: 'sqlite', entries }));
  return directory;
};
