/** Finds and reads the config file. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ConfigText } from '../config/load.ts';
import { PatroldError } from '../runtime/errors.ts';

const OTHERS_CAN_READ = 0o004;

/** Named by flag or environment it must be there; else the first of the usual places, or none. */
export const findConfig = (
  named: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | null => {
  const chosen = named ?? env['PATROLD_CONFIG'];
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  const user = join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'patrold', 'patrold.yaml');
  return [resolve('patrold.yaml'), user, '/etc/patrold/patrold.yaml'].find((path) => existsSync(path)) ?? null;
};

/** Throws `config_unreadable`. */
export const readConfig = (path: string | null): ConfigText | null => {
  if (path === null) return null;
  try {
    const { mode } = statSync(path);
    return { path, text: readFileSync(path, 'utf8'), readableByOthers: (mode & OTHERS_CAN_READ) !== 0 };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PatroldError('config_unreadable', `the config ${path} can not be read: ${why}`, { cause });
  }
};
