/** The password of a repository, checked before a program is asked to use it. */
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { createSecret, type Secret } from '../../runtime/secret.ts';
import { type ArchivesUnread, unread } from './archives.ts';

interface Configured {
  readonly password?: Secret | undefined;
  readonly passwordFile?: string | undefined;
}

const unreadable = (path: string, error: unknown): ArchivesUnread => {
  const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
  const denied = code === 'EACCES' || code === 'EPERM';
  return unread(
    denied ? 'not_permitted' : 'failed',
    `passwordFile ${path} can't be read (${code}): check the path, and that patrold's user may read it`,
  );
};

/** Null: it can be read, or there is none. */
export const passwordFileProblem = async ({ passwordFile }: Configured): Promise<ArchivesUnread | null> => {
  if (passwordFile === undefined) return null;
  try {
    await access(passwordFile, constants.R_OK);
    return null;
  } catch (error) {
    return unreadable(passwordFile, error);
  }
};

/** Null: none is configured. */
export const readPassword = async ({ password, passwordFile }: Configured): Promise<Secret | ArchivesUnread | null> => {
  if (password !== undefined) return password;
  if (passwordFile === undefined) return null;
  try {
    return createSecret((await readFile(passwordFile, 'utf8')).replace(/\r?\n$/, ''));
  } catch (error) {
    return unreadable(passwordFile, error);
  }
};
