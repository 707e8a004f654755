/** Reads patrold's migrations, as drizzle-kit writes them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PatroldError } from './errors.ts';

export interface Migration {
  /** The name of its file without `.sql`: four digits that count up, and what it does. */
  readonly tag: string;
  /** When it was generated; drizzle knows a migration by this instant. */
  readonly createdAtMs: number;
  /** SHA-256 of the file. */
  readonly hash: string;
  readonly statements: readonly string[];
}

const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

const BREAKPOINT = '--> statement-breakpoint';

/** Every migration of `directory` in order; throws `database_migrations_missing` when one can't be read. */
export const readMigrations = (directory: string): readonly Migration[] => {
  try {
    const journal = journalSchema.parse(JSON.parse(readFileSync(join(directory, 'meta', '_journal.json'), 'utf8')));
    return journal.entries.map(({ tag, when }) => {
      const text = readFileSync(join(directory, `${tag}.sql`), 'utf8');
      return {
        tag,
        createdAtMs: when,
        hash: createHash('sha256').update(text).digest('hex'),
        statements: text.split(BREAKPOINT),
      };
    });
  } catch (cause) {
    throw new PatroldError('database_migrations_missing', `migrations in ${directory} can not be read`, {
      cause,
      details: { directory },
    });
  }
};
