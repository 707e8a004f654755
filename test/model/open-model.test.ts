import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASKED, chatModel } from '../support/chat-model.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SECRET = 'hunter2hunter2';

test('a key from a file is sent, and only there', async () => {
  const apiKeyFile = join(temporaryDirectory(), 'key');
  writeFileSync(apiKeyFile, 'sk-right\n');
  const { turn, server } = await chatModel(() => [{ kind: 'text', text: 'hi' }], {
    apiKey: 'sk-right',
    config: { apiKeyFile },
  });
  await turn();
  expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-right');
  expect(server.requests[0]?.text).not.toContain('sk-right');
});

test('without a key none is sent, whatever the environment holds', async () => {
  process.env['OPENAI_API_KEY'] = 'sk-of-the-environment';
  const { turn, server } = await chatModel(() => [{ kind: 'text', text: 'hi' }]);
  await turn().finally(() => delete process.env['OPENAI_API_KEY']);
  expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('sk-of');
});

test('a key file that can not be read is a failure that names it, and the next turn looks again', async () => {
  const apiKeyFile = join(temporaryDirectory(), 'key');
  const { turn, server } = await chatModel(() => [{ kind: 'text', text: 'hi' }], { config: { apiKeyFile } });
  await expect(turn()).rejects.toMatchObject({
    kind: 'unauthorised',
    message: expect.stringMatching(/apiKeyFile .*key can't be read \(ENOENT\)/),
  });
  expect(server.connections()).toBe(0);
  writeFileSync(apiKeyFile, 'sk-later');
  expect(await turn()).toMatchObject({ text: 'hi' });
});

test('secrets and names stay here, whichever message they are in', async () => {
  const { turn, server } = await chatModel(() => [{ kind: 'text', text: 'hi' }], {
    config: { replaceNames: true },
    names: () => [{ name: 'bluebird', kind: 'host' }],
  });
  const text = `bluebird: login with password=${SECRET} failed 3 times`;
  await turn({
    system: text,
    messages: [
      { role: 'user', text },
      { role: 'assistant', text, toolCalls: [{ id: 'a', name: 'look', arguments: { at: text } }] },
      { role: 'tool', replies: [{ callId: 'a', name: 'look', text, isError: true }] },
    ],
  });
  const sent = server.requests[0]?.text ?? '';
  expect(sent).not.toMatch(/bluebird|hunter2/);
  expect(sent.match(/failed 3 times/g)).toHaveLength(5);
});

test('a conversation is sent as the protocol wants it, whatever a model had answered', async () => {
  const { turn, server } = await chatModel(() => [{ kind: 'text', text: 'hi' }]);
  await turn({
    messages: [
      ...ASKED.messages,
      {
        role: 'assistant',
        text: '',
        toolCalls: [
          { id: 'a', name: 'rm -rf /; "look"', arguments: 'all' },
          { id: 'b', name: '', arguments: null, malformed: '{"at' },
        ],
      },
      {
        role: 'tool',
        replies: [
          { callId: 'a', name: 'rm -rf /; "look"', text: 'there is no such tool', isError: true },
          { callId: 'b', name: '', text: 'that was no JSON', isError: true },
        ],
      },
      { role: 'assistant', text: '', toolCalls: [] },
      { role: 'user', text: 'go on' },
    ],
  });
  const [, , calls, ...rest] = server.requests[0]?.messages ?? [];
  expect(calls).toMatchObject({
    tool_calls: [
      { id: 'a', function: { name: 'rm_-rf_____look_', arguments: '{}' } },
      { id: 'b', function: { name: 'unnamed', arguments: '{}' } },
    ],
  });
  expect(rest.map(({ role }) => role)).toEqual(['tool', 'tool', 'assistant', 'user']);
  expect(rest[2]).toMatchObject({ content: '(no answer)' });
});

test('thoughts go back to the model that had them, and to no other', async () => {
  const { turn, server } = await chatModel(function* ({ index }) {
    if (index > 0) return yield { kind: 'text', text: 'done' };
    yield { kind: 'reasoning', text: 'I should look.' };
    yield { kind: 'call', name: 'look', arguments: { at: 'x' } };
  });
  const first = await turn();
  // As a transcript would keep it.
  const opaque: unknown = JSON.parse(JSON.stringify(first.opaque));
  const said = { role: 'assistant', text: first.text, toolCalls: first.toolCalls } as const;
  const reply = { role: 'tool', replies: [{ callId: 'call_0_0', name: 'look', text: 'ok', isError: false }] } as const;
  await turn({ messages: [...ASKED.messages, { ...said, opaque }, reply] });
  await turn({ messages: [...ASKED.messages, { ...said, opaque: { ...(opaque as object), name: 'other' } }, reply] });
  const sent = server.requests.map(({ messages }) => messages[2]);
  expect(sent[1]).toMatchObject({ reasoning_content: 'I should look.' });
  expect(sent[2]).not.toHaveProperty('reasoning_content');
});
