/** A directory with one file, or one directory, for each backup. Read by `find`: it can be ended when the disk hangs. */
import type { CommandRunner } from '../../runtime/command.ts';
import { quoteOutput, troubleOf } from '../host/command-trouble.ts';
import { createArchivePattern } from './archive-pattern.ts';
import { type ArchivesResult, unread } from './archives.ts';
import type { DirectoryConfig } from './backups-config.ts';
import { chooseArchive } from './choose-archive.ts';
import { parseEntries } from './directory-entry.ts';

/** A name is some 100 bytes: enough for a hundred thousand archives. */
const MAX_OUTPUT_BYTES = 16_777_216;

const RECORD = '\\t%y\\t%s\\t%T@\\t%f\\0';

const findArgs = (path: string): readonly string[] => [
  '-H',
  path,
  '-mindepth',
  '1',
  '-maxdepth',
  '1',
  '(',
  '-type',
  'f',
  '-o',
  '-type',
  'd',
  ')',
  '(',
  '-empty',
  '-printf',
  `empty${RECORD}`,
  '-o',
  '-printf',
  `full${RECORD}`,
  ')',
];

export const readDirectory = async (
  config: DirectoryConfig,
  commands: CommandRunner,
  nowMs: number,
  signal: AbortSignal,
): Promise<ArchivesResult> => {
  const result = await commands.run({
    file: 'find',
    args: findArgs(config.path),
    timeoutMs: config.timeout,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  const trouble = troubleOf(result, 'find', 'install findutils');
  if (trouble !== null || result.kind !== 'exited') return unread(trouble?.code ?? 'failed', trouble?.reason ?? '');
  if (result.code !== 0) return explain(config.path, result.stderr);
  const entries = parseEntries(result.stdout);
  if (entries === null) return unread('malformed', '`find` printed what is not understood: GNU findutils is needed');
  const timeZone = config.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const pattern = config.pattern === undefined ? null : createArchivePattern(config.pattern, timeZone);
  return chooseArchive(entries, pattern, nowMs);
};

const explain = (path: string, stderr: string): ArchivesResult => {
  const said = quoteOutput(stderr);
  if (/permission denied/i.test(stderr)) {
    return unread(
      'not_permitted',
      `${path} may not be read by the user that patrold runs as: give it read access (${said})`,
    );
  }
  if (/no such file or directory|not a directory/i.test(stderr)) {
    return unread('unreachable', `there is no directory ${path}: check the path, and whether its disk is mounted`);
  }
  if (/stale file handle|host is down|transport endpoint/i.test(stderr)) {
    return unread('unreachable', `${path} is not reachable: ${said}`);
  }
  return unread('failed', `${path} can't be listed: ${said}`);
};
