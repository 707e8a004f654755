/** The key of this installation's aliases: made once, kept beside the database, never sent. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { PatroldError } from '../runtime/errors.ts';

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/;

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Throws `alias_key_unusable`: with another key every alias would be another one. */
export const readOrCreateAliasKey = (path: string): string => {
  try {
    const kept = read(path);
    if (kept === null) {
      const made = randomBytes(KEY_BYTES).toString('hex');
      // Fails where another process was faster; then that one's key is read.
      writeFileSync(path, `${made}\n`, { mode: 0o600, flag: 'wx' });
      return made;
    }
    if (KEY.test(kept)) return kept;
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    if (code === 'EEXIST') return readOrCreateAliasKey(path);
    throw new PatroldError('alias_key_unusable', `the key of the aliases, ${path}, can not be used (${code})`, {
      cause,
    });
  }
  throw new PatroldError('alias_key_unusable', `the key of the aliases, ${path}, is not 64 hex digits`);
};
