/** Why a backup program gave no list, with what helps. */
import type { GapCode } from '../../../signals/survey.ts';
import { redactSecrets } from '../../runtime/redact-secrets.ts';
import { cleanText } from '../../runtime/text.ts';
import { type ArchivesUnread, unread } from './archives.ts';

/** One thing that programs say, and what it means. */
export interface KnownTrouble {
  readonly says: RegExp;
  readonly code: GapCode;
  readonly means: string;
}

const QUOTED_CHARACTERS = 200;

/** The first line, without secrets. */
export const quote = (text: string): string => {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return cleanText(redactSecrets(line), QUOTED_CHARACTERS);
};

/** Said by the system, whichever program repeats it. */
const EVERYWHERE: readonly KnownTrouble[] = [
  {
    says: /permission ?(?:error|denied)|EACCES|access denied/i,
    code: 'not_permitted',
    means: 'the repository may not be read by the user that patrold runs as: give it read access',
  },
  {
    says: /host key verification failed|permission denied \(publickey|could not resolve hostname|connection refused|no route to host|network is unreachable|connection timed out|name or service not known|no such host|i\/o timeout|connection closed by remote host/i,
    code: 'unreachable',
    means: 'the repository is not reachable from here',
  },
  {
    says: /read-only file system|no space left/i,
    code: 'failed',
    means: 'the file system does not let the program work',
  },
];

/** `said` is what the program wrote to stderr; its own troubles are looked for before those of the system. */
export const explainTrouble = (
  program: string,
  said: string,
  code: number,
  known: readonly KnownTrouble[],
): ArchivesUnread => {
  const trouble = [...known, ...EVERYWHERE].find(({ says }) => says.test(said));
  const quoted = quote(said);
  const words = quoted === '' ? '' : ` (${program}: ${quoted})`;
  if (trouble !== undefined) return unread(trouble.code, `${trouble.means}${words}`);
  return unread('failed', `${program} ended with ${code}${quoted === '' ? '' : `: ${quoted}`}`);
};
