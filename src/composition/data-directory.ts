/** Where state is kept. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** systemd's state directory, else root's place for it, else the user's (XDG Base Directory Specification). */
export const defaultDataDirectory = (env: Readonly<Record<string, string | undefined>>, isRoot: boolean): string => {
  // systemd lists several with colons between them; the first is the unit's own.
  const [state] = (env['STATE_DIRECTORY'] ?? '').split(':');
  if (state !== undefined && state !== '') return state;
  if (isRoot) return '/var/lib/patrold';
  return join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'patrold');
};

export const databasePath = (directory: string): string => join(directory, 'patrold.db');

const BY_OTHERS = 0o077;

/** What somebody opened to other users: findings tell what is weak here, and tokens are kept beside them. */
export const exposedState = (directory: string): readonly string[] =>
  [directory, databasePath(directory)].flatMap((path) => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    return (mode & BY_OTHERS) === 0 ? [] : [`${path} is open to other users; chmod go-rwx keeps it private`];
  });
