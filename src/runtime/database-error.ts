/** Says in patrold's codes what SQLite or the file system refused. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ErrorCode, PatroldError } from './errors.ts';

/** By the primary result code of https://www.sqlite.org/rescode.html; extended codes start with it. */
const SQLITE_CODES: readonly (readonly [prefix: string, code: ErrorCode])[] = [
  ['SQLITE_NOTADB', 'database_not_a_database'],
  ['SQLITE_CORRUPT', 'database_not_a_database'],
  ['SQLITE_READONLY', 'database_read_only'],
  ['SQLITE_FULL', 'database_full'],
  ['SQLITE_BUSY', 'database_locked'],
  ['SQLITE_LOCKED', 'database_locked'],
  ['SQLITE_CANTOPEN', 'database_unreadable'],
  ['SQLITE_PERM', 'database_unreadable'],
  ['SQLITE_AUTH', 'database_unreadable'],
  ['SQLITE_IOERR', 'database_io'],
];

/** By errno: what making the directory, the file or a backup met. */
const ERRNO_CODES: Readonly<Record<string, ErrorCode>> = {
  EACCES: 'database_read_only',
  EPERM: 'database_read_only',
  EROFS: 'database_read_only',
  ENOSPC: 'database_full',
  EDQUOT: 'database_full',
  ENOENT: 'database_unreadable',
  ENOTDIR: 'database_unreadable',
  EISDIR: 'database_unreadable',
  EEXIST: 'database_unreadable',
  ELOOP: 'database_unreadable',
  EIO: 'database_io',
};

/** SQLite's shared memory grows by 32 KiB at a time, a transaction by more. */
const NO_SPACE_BYTES = 256 * 1024;

/** SQLite tells a file system without space for its shared memory as an I/O error. */
const isOutOfSpace = (path: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < NO_SPACE_BYTES;
  } catch {
    // It can't be told either: then the I/O error is all that is known.
    return false;
  }
};

const codeOf = (cause: unknown): ErrorCode | undefined => {
  if (!(cause instanceof Error && 'code' in cause && typeof cause.code === 'string')) return undefined;
  const { code } = cause;
  return SQLITE_CODES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? ERRNO_CODES[code];
};

/** The coded error for `cause`; one that is coded already, or means nothing to a database, comes back as it is. */
export const databaseError = (cause: unknown, path: string): unknown => {
  const code = codeOf(cause);
  if (code === undefined || !(cause instanceof Error) || cause instanceof PatroldError) return cause;
  if (code === 'database_io' && isOutOfSpace(path))
    return new PatroldError('database_full', `database ${path}: the file system is full (${cause.message})`, {
      cause,
      details: { path },
    });
  return new PatroldError(code, `database ${path}: ${cause.message}`, { cause, details: { path } });
};
