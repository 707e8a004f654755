import { describe, expect, test } from 'vitest';
import { parseJournal, readJournal } from '../../../src/sources/host/journal.ts';
import { type CommandAnswers, exited, hostContext } from '../../support/host-context.ts';

const entry = (message: unknown, more: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({ __REALTIME_TIMESTAMP: '1762851400000000', MESSAGE: message, SYSLOG_IDENTIFIER: 'kernel', ...more });

test('a message that is not UTF-8 comes as bytes', () => {
  const lines = [entry('plain'), entry([104, 105, 255]), 'nonsense', entry(null), '{"MESSAGE":"no time"}'].join('\n');
  expect(parseJournal(lines)).toEqual([
    { atMs: 1_762_851_400_000, text: 'plain', identifier: 'kernel' },
    { atMs: 1_762_851_400_000, text: 'hi\ufffd', identifier: 'kernel' },
  ]);
});

test('the newest first, as journalctl prints matches of a pattern, becomes the oldest first', () => {
  const at = (atUs: number, message: string) => entry(message, { __REALTIME_TIMESTAMP: String(atUs) });
  const lines = [
    at(1_762_851_400_000_012, 'kill'),
    at(1_762_851_400_000_003, 'cause'),
    at(1_762_851_300_000_000, 'older'),
  ];
  expect(parseJournal(lines.join('\n')).map(({ text }) => text)).toEqual(['older', 'cause', 'kill']);
});

describe('asking the journal', () => {
  const ask = (answers: CommandAnswers, grep: string | null = 'x') =>
    readJournal(hostContext({}, answers), ['--since=@1'], grep);
  const HINT =
    "Hint: You are currently not seeing messages from other users and the system.\n      Users in groups 'adm', 'systemd-journal' can see all messages.\n";

  test('entries are told', async () => {
    expect(await ask([[/^journalctl/, exited(entry('x'))]])).toHaveLength(1);
  });

  test('nothing that matches is an empty journal', async () => {
    expect(await ask([[/^journalctl/, exited('', 1)]])).toEqual([]);
    expect(await ask([[/^journalctl/, exited('-- No entries --\n')]])).toEqual([]);
  });

  test('what may not be seen is not', async () => {
    expect(await ask([[/^journalctl/, exited('', 0, HINT)]])).toMatchObject({ code: 'not_permitted' });
    expect(await ask([[/^journalctl/, exited(entry('mine alone'), 0, HINT)]])).toMatchObject({ code: 'not_permitted' });
  });

  test('a journalctl without patterns is asked without one', async () => {
    const answers: CommandAnswers = [
      [/--grep/, exited('', 1, 'Compiled without pattern matching support')],
      [/^journalctl/, exited(entry('x'))],
    ];
    expect(await ask(answers)).toHaveLength(1);
  });

  test.each<[string, CommandAnswers]>([
    ['not_installed', []],
    ['not_supported', [[/^journalctl/, exited('', 1, 'No journal files were found.')]]],
    [
      'not_supported',
      [
        [
          /^journalctl/,
          exited('', 1, 'Data from the specified boot (-1) is not available: No such boot ID in journal'),
        ],
      ],
    ],
    ['failed', [[/^journalctl/, exited('', 1, 'Failed to search journal ACL: Bad message')]]],
    ['cut_short', [[/^journalctl/, { kind: 'too_large', maxOutputBytes: 1 }]]],
  ])('the rest is %s', async (code, answers) => {
    expect(await ask(answers)).toMatchObject({ code });
  });

  test('below another root the machine’s own journal is read, kept or not', async () => {
    const kept = hostContext({ root: '/host', directories: ['/var/log/journal'] });
    await readJournal(kept, [], null);
    expect(kept.asked[0]).toContain('--directory=/host/var/log/journal');
    const fleeting = hostContext({ root: '/host' });
    await readJournal(fleeting, [], null);
    expect(fleeting.asked[0]).toContain('--directory=/host/run/log/journal');
  });
});
