/** Snapshots of a restic repository, read without a lock and without a cache. */
import { z } from 'zod';
import type { CommandRunner } from '../../runtime/command.ts';
import { troubleOf } from '../host/command-trouble.ts';
import { type ArchivesResult, archivesOf, unread } from './archives.ts';
import type { ResticConfig } from './backups-config.ts';
import { revealAll } from './environment.ts';
import { passwordFileProblem } from './password.ts';
import { explainTrouble, type KnownTrouble, quote } from './tool-trouble.ts';

/** A snapshot with many paths is some 2 KiB: enough for ten thousand of them. */
const MAX_OUTPUT_BYTES = 33_554_432;

/** Exit codes since restic 0.17 are 10, 11 and 12; before, only the words tell. */
const KNOWN: readonly KnownTrouble[] = [
  {
    says: /wrong password or no key found|an empty password is not a password|resolving password failed/i,
    code: 'not_permitted',
    means: 'restic does not get into the repository: check passwordFile',
  },
  {
    says: /unable to open config file.*(?:no such file|not exist|404)|repository does not exist/is,
    code: 'unreachable',
    means: 'there is no restic repository: check the address, and whether its disk is mounted',
  },
  { says: /unable to create lock|already locked/i, code: 'failed', means: 'the repository is locked' },
  {
    says: /panic:|invalid data returned|ciphertext verification failed/i,
    code: 'malformed',
    means: 'the repository is damaged: run `restic check`',
  },
];

/** Only what is needed: other versions may say more. */
const snapshotSchema = z.object({ time: z.iso.datetime({ offset: true }) });

export const readRestic = async (
  config: ResticConfig,
  commands: CommandRunner,
  nowMs: number,
  signal: AbortSignal,
): Promise<ArchivesResult> => {
  const noPassword = await passwordFileProblem(config);
  if (noPassword !== null) return noPassword;
  const result = await commands.run({
    file: 'restic',
    args: ['snapshots', '--json', '--no-lock', '--no-cache', ...filters(config)],
    env: environmentOf(config),
    timeoutMs: config.timeout,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  const trouble = troubleOf(result, 'restic', 'install it, it is needed to read the repository');
  if (trouble !== null || result.kind !== 'exited') return unread(trouble?.code ?? 'failed', trouble?.reason ?? '');
  if (result.code !== 0) return explainTrouble('restic', result.stderr, result.code, KNOWN);
  // It leaves out what it can't load, and ends well: the newest may be among those.
  if (/load snapshot|^ignoring /im.test(result.stderr)) {
    return unread('malformed', `snapshots can't be read, run \`restic check\` (restic: ${quote(result.stderr)})`);
  }
  return parse(result.stdout, nowMs);
};

const filters = ({ host, tags, paths }: ResticConfig): readonly string[] => [
  ...(host === undefined ? [] : ['--host', host]),
  ...(tags.length === 0 ? [] : ['--tag', tags.join(',')]),
  ...paths.flatMap((path) => ['--path', path]),
];

/** Neither the address, which may hold a password, nor the password itself may stand in argv. */
const environmentOf = ({ repository, password, passwordFile, environment }: ResticConfig): Record<string, string> => ({
  ...revealAll(environment),
  RESTIC_REPOSITORY: repository,
  ...(password === undefined ? {} : { RESTIC_PASSWORD: password.reveal() }),
  ...(passwordFile === undefined ? {} : { RESTIC_PASSWORD_FILE: passwordFile }),
});

const parse = (stdout: string, nowMs: number): ArchivesResult => {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return unread('malformed', 'restic printed what is no JSON');
  }
  // Of no snapshots at all old versions say `null`.
  const list = z.array(z.unknown()).safeParse(value ?? []);
  if (!list.success) return unread('malformed', 'restic printed something else than a list of snapshots');
  const snapshots = list.data.map((item) => snapshotSchema.safeParse(item));
  const bad = snapshots.filter(({ success }) => !success).length;
  if (bad > 0)
    return unread('malformed', `${bad} of ${snapshots.length} snapshots have no time that can be understood`);
  return archivesOf(
    snapshots.flatMap(({ data }) => (data === undefined ? [] : [Date.parse(data.time)])),
    nowMs,
  );
};
