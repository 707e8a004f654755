/** Archives of a Borg repository. */
import { z } from 'zod';
import type { CommandResult, CommandRunner } from '../../runtime/command.ts';
import { isSecret, type Secret } from '../../runtime/secret.ts';
import { troubleOf } from '../host/command-trouble.ts';
import { type ArchivesResult, type ArchivesUnread, archivesOf, unread } from './archives.ts';
import type { BorgConfig } from './backups-config.ts';
import { withBorgHome } from './borg-home.ts';
import { explainBorg } from './borg-trouble.ts';
import { revealAll } from './environment.ts';
import { readPassword } from './password.ts';

/** The newest ones; more than one, since those may be dated in the future. */
const LAST = '20';
const MAX_OUTPUT_BYTES = 1_048_576;

/** Borg 1 tells times without an offset, in the zone of the environment, which is UTC here; Borg 2 tells the offset. */
const archiveSchema = z.object({
  start: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d:?\d\d|Z)?$/),
});
const listSchema = z.object({ archives: z.array(z.unknown()) });

export const readBorg = async (
  config: BorgConfig,
  commands: CommandRunner,
  nowMs: number,
  signal: AbortSignal,
): Promise<ArchivesResult> => {
  const password = await readPassword(config);
  if (password !== null && !isSecret(password)) return password;
  const unindexed = await withoutIndex(config, commands, signal);
  if (unindexed !== null) return unindexed;
  const result = await withBorgHome((home) =>
    commands.run({
      file: 'borg',
      // A shared lock would make a backup that starts meanwhile fail; what was committed can be read without one.
      args: ['--log-json', '--bypass-lock', 'list', '--json', '--last', LAST, ...filters(config)],
      env: { ...environmentOf(config, password), ...home, ...revealAll(config.environment) },
      timeoutMs: config.timeout,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal,
    }),
  );
  return read(result, nowMs);
};

const filters = ({ archives }: BorgConfig): readonly string[] =>
  archives === undefined ? [] : ['--glob-archives', archives];

/** Nothing is ever asked back: what Borg would want confirmed harms nobody who only reads. */
const environmentOf = ({ repository }: BorgConfig, password: Secret | null): Record<string, string> => ({
  BORG_REPO: repository,
  BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
  BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
  BORG_RSH: 'ssh -o BatchMode=yes',
  ...(password === null ? {} : { BORG_PASSPHRASE: password.reveal() }),
});

/**
 * Without its index Borg builds a new one and writes it, also when it only lists. That is a change, and without a lock
 * not even a safe one. (repository.py of Borg 1, `replay_segments`.)
 */
const withoutIndex = async (
  { repository }: BorgConfig,
  commands: CommandRunner,
  signal: AbortSignal,
): Promise<ArchivesUnread | null> => {
  if (!repository.startsWith('/')) return null;
  const result = await commands.run({
    file: 'find',
    args: [
      '-H',
      repository,
      '-mindepth',
      '1',
      '-maxdepth',
      '1',
      '(',
      '-name',
      'index.*',
      '-o',
      '-name',
      'config',
      ')',
      '-printf',
      '%f\\0',
    ],
    timeoutMs: 10_000,
    maxOutputBytes: 65_536,
    signal,
  });
  if (result.kind !== 'exited' || result.code !== 0) return null;
  const names = result.stdout.split('\0');
  if (!names.includes('config') || names.some((name) => name.startsWith('index.'))) return null;
  return unread('failed', 'its index is missing, and Borg would write a new one: run `borg list` on it once');
};

const read = (result: CommandResult, nowMs: number): ArchivesResult => {
  const trouble = troubleOf(result, 'borg', 'install borgbackup, it is needed to read the repository');
  if (trouble !== null || result.kind !== 'exited') return unread(trouble?.code ?? 'failed', trouble?.reason ?? '');
  // 1, and 100 to 127, are warnings: the list is whole.
  const warned = result.code === 1 || (result.code >= 100 && result.code <= 127);
  if (result.code !== 0 && !warned) return explainBorg(result.stderr, result.code);
  return parse(result.stdout, nowMs);
};

const parse = (stdout: string, nowMs: number): ArchivesResult => {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return unread('malformed', 'borg printed what is no JSON');
  }
  const list = listSchema.safeParse(value);
  if (!list.success) return unread('malformed', 'borg printed something else than a list of archives');
  const archives = list.data.archives.map((item) => archiveSchema.safeParse(item));
  const bad = archives.filter(({ success }) => !success).length;
  if (bad > 0) return unread('malformed', `${bad} of ${archives.length} archives have no time that can be understood`);
  return archivesOf(
    archives.flatMap(({ data }) => (data === undefined ? [] : [startMs(data.start)])),
    nowMs,
  );
};

const startMs = (start: string): number => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(start) ? start : `${start}Z`);
