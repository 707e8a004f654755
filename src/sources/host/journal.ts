/** Reads the systemd journal with journalctl; messages come as JSON, one a line. */
import { z } from 'zod';
import { failureOf, type Trouble, troubleOf } from './command-trouble.ts';
import type { HostContext } from './host-context.ts';
import type { KernelMessage } from './oom-messages.ts';
import { parseJson } from './parse-json.ts';

/** A text is an array of bytes where it is not UTF-8. */
const entrySchema = z.object({
  __REALTIME_TIMESTAMP: z.string().regex(/^\d+$/),
  MESSAGE: z.union([
    z.string(),
    z.array(z.number().int().min(0).max(255)).transform((bytes) => Buffer.from(bytes).toString('utf8')),
  ]),
  SYSLOG_IDENTIFIER: z.string().optional().catch(undefined),
});

export interface JournalEntry extends KernelMessage {
  readonly identifier: string | null;
}

/** Oldest first: with a pattern and a number of lines journalctl prints the newest first. */
export const parseJournal = (text: string): readonly JournalEntry[] => {
  const entries = text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const entry = entrySchema.safeParse(parseJson(line)).data;
    return entry === undefined ? [] : [{ ...entry, atUs: Number(entry.__REALTIME_TIMESTAMP) }];
  });
  const isReversed = (entries[0]?.atUs ?? 0) > (entries.at(-1)?.atUs ?? 0);
  return (isReversed ? entries.toReversed() : entries)
    .toSorted((a, b) => a.atUs - b.atUs)
    .map(({ atUs, MESSAGE, SYSLOG_IDENTIFIER }) => ({
      atMs: Math.round(atUs / 1_000),
      text: MESSAGE,
      identifier: SYSLOG_IDENTIFIER ?? null,
    }));
};

const NOT_ALL_SEEN = /not seeing messages from other users|insufficient permissions|permission denied/i;
const NO_JOURNAL = /No journal files were found|no persistent journal was found|Data from the specified boot/i;
const NO_PATTERNS = /without pattern matching support|unrecognized option '--grep'/i;
const OUTPUT_BYTES = 8_388_608;

/** What cannot be read for lack of rights is never taken for an empty journal. */
export const readJournal = async (
  { commands, reader }: Pick<HostContext, 'commands' | 'reader'>,
  args: readonly string[],
  grep: string | null,
): Promise<readonly JournalEntry[] | Trouble> => {
  const isKept = (await reader.list('/var/log/journal')).kind === 'read';
  const directory = `${reader.root}${isKept ? '/var/log/journal' : '/run/log/journal'}`;
  const place = reader.root === '/' ? [] : [`--directory=${directory}`];
  const base = [...place, '--no-pager', '--output=json', '--output-fields=MESSAGE,SYSLOG_IDENTIFIER', ...args];
  const run = (extra: readonly string[]) =>
    commands.run('journalctl', [...base, ...extra], { maxOutputBytes: OUTPUT_BYTES });
  const first = await run(grep === null ? [] : [`--grep=${grep}`]);
  const result = first.kind === 'exited' && NO_PATTERNS.test(first.stderr) ? await run([]) : first;
  const trouble = troubleOf(result, 'journalctl', 'the journal is part of systemd');
  if (trouble !== null || result.kind !== 'exited')
    return trouble ?? { code: 'failed', reason: '`journalctl` did not run' };
  if (NOT_ALL_SEEN.test(result.stderr)) {
    return {
      code: 'not_permitted',
      reason: 'the journal is closed to patrold: add its user to the group systemd-journal',
    };
  }
  const entries = parseJournal(result.stdout);
  if (entries.length > 0) return entries;
  if (NO_JOURNAL.test(`${result.stderr}${result.stdout}`))
    return { code: 'not_supported', reason: 'there is no journal of that time' };
  // With --grep, "nothing matched" is 1 and silence.
  return result.code === 0 || (result.code === 1 && result.stderr.trim() === '') ? [] : failureOf(result, 'journalctl');
};
