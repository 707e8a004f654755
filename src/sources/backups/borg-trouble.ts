/** What Borg says when it fails, by the message ids of its JSON log (docs/internals/frontends.rst of Borg). */
import { z } from 'zod';
import { type ArchivesUnread, unread } from './archives.ts';
import { explainTrouble, type KnownTrouble, quote } from './tool-trouble.ts';

const MEANINGS: Readonly<Record<string, Pick<KnownTrouble, 'code' | 'means'>>> = {
  PassphraseWrong: { code: 'not_permitted', means: 'Borg does not get into the repository: check passwordFile' },
  NoPassphraseFailure: { code: 'not_permitted', means: 'the repository wants a password: set passwordFile' },
  PasscommandFailure: { code: 'not_permitted', means: 'the command for the password failed' },
  KeyfileNotFoundError: { code: 'not_permitted', means: 'the key file is missing: set BORG_KEY_FILE in environment' },
  'Repository.DoesNotExist': {
    code: 'unreachable',
    means: 'there is no repository: check the path, and whether its disk is mounted',
  },
  'Repository.ParentPathDoesNotExist': {
    code: 'unreachable',
    means: 'there is no repository: check the path, and whether its disk is mounted',
  },
  'Repository.InvalidRepository': {
    code: 'unreachable',
    means: 'there is no Borg repository in that place: check the path, and whether its disk is mounted',
  },
  'Repository.InvalidRepositoryConfig': {
    code: 'malformed',
    means: 'the config of the repository is damaged: run `borg check`',
  },
  IntegrityError: { code: 'malformed', means: 'the repository is damaged: run `borg check`' },
  FileIntegrityError: { code: 'malformed', means: 'the repository is damaged: run `borg check`' },
  'Repository.CheckNeeded': { code: 'malformed', means: 'the repository is damaged: run `borg check`' },
  LockTimeout: { code: 'failed', means: 'the repository is locked' },
  LockFailed: { code: 'failed', means: 'the repository can not be locked' },
  ConnectionClosed: { code: 'unreachable', means: 'the machine with the repository is not reachable, or has no Borg' },
  ConnectionClosedWithHint: {
    code: 'unreachable',
    means: 'the machine with the repository is not reachable, or has no Borg',
  },
};

const lineSchema = z.object({ message: z.string(), levelname: z.string().optional(), msgid: z.string().optional() });
type Line = z.output<typeof lineSchema>;

/** Of a log that may be cut off. */
const MAX_LINES = 200;

const linesOf = (stderr: string): readonly Line[] =>
  stderr
    .split('\n')
    .slice(0, MAX_LINES)
    .flatMap((text): Line[] => {
      // Prompts stand in front of a message without an end of line.
      const start = text.indexOf('{"');
      if (start === -1) return [];
      try {
        const line = lineSchema.safeParse(JSON.parse(text.slice(start)));
        return line.success ? [line.data] : [];
      } catch {
        return [];
      }
    });

export const explainBorg = (stderr: string, code: number): ArchivesUnread => {
  const errors = linesOf(stderr).filter(({ levelname = 'ERROR' }) => levelname === 'ERROR' || levelname === 'CRITICAL');
  const known = errors.find(({ msgid = '' }) => msgid in MEANINGS);
  const meaning = known?.msgid === undefined ? undefined : MEANINGS[known.msgid];
  if (known !== undefined && meaning !== undefined)
    return unread(meaning.code, `${meaning.means} (borg: ${quote(known.message)})`);
  const messages = errors.map(({ message }) => message).join('\n');
  return explainTrouble('borg', lastLine(messages) || stderr, code, []);
};

/** Of a Python traceback the exception, which says it all; of anything else the first line. */
const lastLine = (messages: string): string => {
  const exception = /^\w*(?:Error|Exception)\b.*$/m.exec(messages)?.[0];
  return exception ?? messages;
};
