/** A throw-away home for Borg, which otherwise writes a cache and notes about each repository into its user's. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Calls `use` with the environment that makes Borg live there. Key files are still found where they are by default. */
export const withBorgHome = async <T>(use: (environment: Record<string, string>) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), 'patrold-borg-'));
  const keys = join(userInfo().homedir, '.config/borg/keys');
  try {
    return await use({ BORG_BASE_DIR: directory, ...(existsSync(keys) ? { BORG_KEYS_DIR: keys } : {}) });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
