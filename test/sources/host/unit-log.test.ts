import { expect, test } from 'vitest';
import { readUnitLog } from '../../../src/sources/host/unit-log.ts';
import { MAX_LOG_LINES } from '../../../src/sources/log.ts';
import { type CommandAnswers, exited, hostContext } from '../../support/host-context.ts';

const { signal } = new AbortController();
const request = { ref: 'service:nginx.service', kind: 'service', untilMs: 1_762_851_400_900, signal } as const;
const entry = (index: number): string =>
  JSON.stringify({ __REALTIME_TIMESTAMP: String(1_762_851_400_000_000 + index), MESSAGE: `line ${index}` });
const journal = (count: number): CommandAnswers => [
  [/^journalctl /, exited(Array.from({ length: count }, (_, index) => entry(index)).join('\n'))],
];

test('one fixed question is asked, with the name of the unit as one argument of it', async () => {
  const host = hostContext({}, journal(2));
  expect(await readUnitLog(host, request)).toMatchObject({
    ok: true,
    hasEarlier: false,
    lines: [{ text: 'line 0' }, {}],
  });
  expect(host.asked).toEqual([
    'journalctl --no-pager --output=json --output-fields=MESSAGE,SYSLOG_IDENTIFIER --unit=nginx.service --lines=501 --until=@1762851400',
  ]);
});

test('of the machine as a whole, what it reported as an error is read', async () => {
  const host = hostContext({}, journal(1));
  await readUnitLog(host, { ...request, ref: 'host', kind: 'host' });
  expect(host.asked[0]).toMatch(/ --priority=err /);
});

test('the newest lines are told, and that there are earlier ones', async () => {
  const answer = await readUnitLog(hostContext({}, journal(MAX_LOG_LINES + 1)), request);
  expect(answer).toMatchObject({ ok: true, hasEarlier: true });
  expect(answer.ok && answer.lines[0]).toMatchObject({ text: 'line 1' });
  expect(answer.ok && answer.lines.length).toBe(MAX_LOG_LINES);
});

test.each(['service:*', 'service:a b.service', 'service:[a-z].service', 'filesystem:/srv', 'service:'])(
  '%s is asked of nobody',
  async (ref) => {
    const host = hostContext({}, journal(1));
    const answer = await readUnitLog(host, { ...request, ref });
    expect(answer).toMatchObject({ ok: false, code: 'not_supported' });
    expect(host.asked).toEqual([]);
  },
);

test('a journal that is closed is no empty one', async () => {
  const hint = 'Hint: You are currently not seeing messages from other users and the system.';
  expect(await readUnitLog(hostContext({}, [[/^journalctl/, exited('', 0, hint)]]), request)).toMatchObject({
    ok: false,
    code: 'not_permitted',
  });
});
