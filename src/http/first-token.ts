/** The token that the first start makes, so that there is a way in at all. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { PatroldError } from '../runtime/errors.ts';
import type { TokenStore } from './token-store.ts';

const FILE_NAME = 'token';
const FIRST_NAME = 'first start';

export interface FirstToken {
  readonly id: string;
  /** Where its secret is, for whoever may read the data directory. */
  readonly path: string;
}

/** A new file for its owner alone, in place of whatever is there; never through a link that somebody laid. */
const writePrivately = (path: string, text: string): void => {
  const made = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = openSync(made, 'wx', 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(made, path);
  } catch (cause) {
    rmSync(made, { force: true });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PatroldError('token_file_unwritable', `the first token can not be written to ${path}: ${why}`, {
      cause,
      details: { path },
    });
  }
};

/**
 * Makes an admin token if there has never been one, and says where it is; null: there has been one, revoked or not.
 * The file is written before the token counts: a crash between the two leaves a file that opens nothing, and the next
 * start makes another one. Throws `token_file_unwritable`.
 */
export const ensureFirstToken = (store: TokenStore, dataDirectory: string): FirstToken | null => {
  const path = join(dataDirectory, FILE_NAME);
  const created = store.createFirst(FIRST_NAME, ['admin'], (secret) => writePrivately(path, `${secret}\n`));
  return created === null ? null : { id: created.id, path };
};
