import { expect, onTestFinished, test } from 'vitest';
import type { ChatScript } from './chat-answer.ts';
import { textOf } from './chat-request.ts';
import { type ChatServer, type ChatServerOptions, startChatServer } from './chat-server.ts';

const CALL = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } };
const called = { role: 'assistant', content: null, tool_calls: [CALL] };
const answer = { role: 'tool', tool_call_id: 'a', content: 'fine' };
const user = { role: 'user', content: 'hello' };

const start = async (script: ChatScript, options: ChatServerOptions = {}): Promise<ChatServer> => {
  const server = await startChatServer(script, options);
  onTestFinished(server.close);
  return server;
};

const ask = (server: ChatServer, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'm', messages: [user], ...body }),
  });

test('without streaming the answer is one document', async () => {
  const server = await start(function* (request) {
    yield { kind: 'text', text: `you said ${textOf(request.messages[0] ?? { role: 'user', content: '' })}` };
    yield { kind: 'call', name: 'look', arguments: { at: 1 } };
  });
  expect(await (await ask(server, {})).json()).toMatchObject({
    choices: [
      {
        message: {
          content: 'you said hello',
          tool_calls: [{ id: 'call_0_0', function: { name: 'look', arguments: '{"at":1}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: expect.any(Number) },
  });
});

test('usage is streamed only where it was asked for', async () => {
  const server = await start(() => [{ kind: 'text', text: 'hi' }]);
  const plain = await (await ask(server, { stream: true })).text();
  const counted = await (await ask(server, { stream: true, stream_options: { include_usage: true } })).text();
  expect(plain).not.toContain('prompt_tokens');
  expect(counted).toContain('prompt_tokens');
  expect(counted.trimEnd().endsWith('data: [DONE]')).toBe(true);
});

test.each<readonly [string, object]>([
  ['a call without an answer', { messages: [user, called] }],
  ['a call that is answered late', { messages: [user, called, user, answer] }],
  ['a call that is answered twice', { messages: [user, called, answer, answer] }],
  ['an answer to no call', { messages: [user, answer] }],
  ['two calls with one id', { messages: [user, { ...called, tool_calls: [CALL, CALL] }, answer] }],
  ['no messages', { messages: [] }],
  ['a role that does not exist', { messages: [{ role: 'operator', content: 'x' }] }],
  ['a field that does not exist', { messages: [{ ...user, name2: 'x' }] }],
])('%s is refused, and the test hears of it', async (_name, body) => {
  const server = await start(() => []);
  expect((await ask(server, body)).status).toBe(400);
  expect(server.refusals).toHaveLength(1);
  expect(server.requests).toHaveLength(0);
});

test('a conversation with answered calls is accepted', async () => {
  const server = await start(() => []);
  expect((await ask(server, { messages: [user, called, answer, user] })).status).toBe(200);
});

test('keys, models and context are checked as services do', async () => {
  const server = await start(() => [{ kind: 'text', text: 'hi' }], {
    apiKey: 'right',
    models: { m: { context_length: 100 } },
    contextTokens: 100,
  });
  const authorization = 'Bearer right';
  expect((await ask(server, {})).status).toBe(401);
  expect((await ask(server, {}, { authorization })).status).toBe(200);
  expect((await ask(server, { model: 'other' }, { authorization })).status).toBe(404);
  const long = { messages: [{ role: 'user', content: 'x'.repeat(500) }] };
  expect(await (await ask(server, long, { authorization })).json()).toMatchObject({
    error: { code: 'context_length_exceeded' },
  });
  const list = await fetch(`${server.baseUrl}/models`, { headers: { authorization } });
  expect(await list.json()).toMatchObject({ data: [{ id: 'm', context_length: 100 }] });
});

test('a server that truncates says nothing, and counts less', async () => {
  const server = await start(() => [{ kind: 'text', text: 'hi' }], { contextTokens: 100, truncates: true });
  const answered = await ask(server, { messages: [{ role: 'user', content: 'x'.repeat(5_000) }] });
  expect(await answered.json()).toMatchObject({ usage: { prompt_tokens: 100 } });
});
