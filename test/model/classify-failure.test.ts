import net from 'node:net';
import { expect, test } from 'vitest';
import type { ModelFailureKind } from '../../src/model/model-failure.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import type { ChatStep } from '../support/chat-answer.ts';
import { ASKED, chatModel, whileTimePasses } from '../support/chat-model.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const SECRET = 'sk-0123456789abcdefghijklmnop';

const failing = async (steps: readonly ChatStep[]): Promise<unknown> => {
  const { turn, clock } = await chatModel(() => steps);
  return whileTimePasses(clock, turn()).catch((error: unknown) => error);
};

/** Bodies as the servers send them. */
const STATUSES: readonly (readonly [string, number, object | string, ModelFailureKind])[] = [
  [
    'OpenAI, wrong key',
    401,
    { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } },
    'unauthorised',
  ],
  [
    'OpenAI, no such model',
    404,
    { error: { message: 'The model `x` does not exist', code: 'model_not_found' } },
    'model_not_found',
  ],
  [
    'OpenAI, context',
    400,
    { error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' } },
    'context_exceeded',
  ],
  ['OpenAI, too fast', 429, { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }, 'rate_limited'],
  [
    'OpenAI, no money',
    429,
    { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
    'refused',
  ],
  [
    'Anthropic, overloaded',
    529,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    'overloaded',
  ],
  [
    'Anthropic, context',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    'context_exceeded',
  ],
  [
    'Google, wrong key',
    400,
    { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } },
    'unauthorised',
  ],
  [
    'llama.cpp, context',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
      },
    },
    'context_exceeded',
  ],
  [
    'llama.cpp, loading',
    503,
    { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
    'overloaded',
  ],
  [
    'Ollama, no such model',
    404,
    { error: { message: "model 'x' not found", type: 'not_found_error' } },
    'model_not_found',
  ],
  ['Ollama, no tools', 400, { error: 'registry.ollama.ai/library/gemma:2b does not support tools' }, 'refused'],
  [
    'OpenRouter, no such model',
    400,
    { error: { message: 'x/y is not a valid model ID', code: 400 } },
    'model_not_found',
  ],
  ['OpenRouter, no money', 402, { error: { message: 'Insufficient credits', code: 402 } }, 'refused'],
  ['a proxy, too large', 413, '<html>413 Request Entity Too Large</html>', 'context_exceeded'],
  ['a proxy, nobody behind it', 502, '<html>502 Bad Gateway</html>', 'overloaded'],
  ['a web server, wrong path', 404, '<html>404 page not found</html>', 'bad_answer'],
  ['a redirect', 302, '', 'bad_answer'],
];

test.each(STATUSES)('%s (%d)', async (_name, status, body, kind) => {
  expect(await failing([{ kind: 'status', status, body }])).toMatchObject({ kind, details: { status } });
});

test('the reason of the provider is told, without the secrets in it and in one line', async () => {
  const message = `Incorrect API key provided: ${SECRET}.\nYou can find yours elsewhere. ${'x'.repeat(900)}`;
  const failure = await failing([{ kind: 'status', status: 401, body: { error: { message } } }]);
  expect(failure).toMatchObject({
    message: expect.stringMatching(/does not accept the API key.*\(401\): Incorrect API/),
  });
  const text = (failure as Error).message;
  expect(text).not.toContain(SECRET);
  expect(text.length).toBeLessThan(400);
  expect(text).not.toContain('\n');
});

test.each<readonly [string, readonly ChatStep[], ModelFailureKind]>([
  [
    'an error inside the stream',
    [
      { kind: 'text', text: 'well' },
      { kind: 'error', message: 'Overloaded', type: 'overloaded_error' },
    ],
    'overloaded',
  ],
  ['a connection that breaks', [{ kind: 'text', text: 'well' }, { kind: 'cut' }], 'unreachable'],
  [
    'a stream that just ends',
    [
      { kind: 'text', text: 'well' },
      { kind: 'cut', politely: true },
    ],
    'unreachable',
  ],
  ['a page instead of a stream', [{ kind: 'status', status: 200, body: '<html>hello</html>' }], 'bad_answer'],
  ['an event that is no JSON', [{ kind: 'raw', text: 'data: {"choices": [\n\n' }], 'bad_answer'],
])('%s', async (_name, steps, kind) => {
  expect(await failing(steps)).toMatchObject({ kind });
});

test('nobody listens: the words say what to look at', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const { turn, clock, usages } = await chatModel(function* () {}, {
    config: { baseUrl: `http://127.0.0.1:${port}/v1` },
  });
  await expect(whileTimePasses(clock, turn())).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(/refused the connection: is it running/),
  });
  expect(usages).toEqual([]);
});

test('a log line of a failure holds neither the key nor the conversation', async () => {
  const failures = await Promise.all([
    failing([{ kind: 'status', status: 400, body: { error: { message: `bad message: ${SECRET}` } } }]),
    failing([
      { kind: 'text', text: 'well, bluebird' },
      { kind: 'error', message: `upstream said ${SECRET}` },
    ]),
    failing([{ kind: 'raw', text: `data: {"choices": "${SECRET}"}\n\n` }]),
  ]);
  const lines: string[] = [];
  const logger = createLogger({
    level: 'warn',
    clock: createFakeClock(),
    stream: { write: (line) => lines.push(line) },
  });
  for (const err of failures) logger.warn({ err }, 'the model failed');
  expect(lines).toHaveLength(3);
  const conversation = JSON.stringify(ASKED.messages).slice(20, 32);
  for (const line of lines) {
    expect(line).not.toContain(SECRET);
    expect(line).not.toContain('bluebird');
    expect(line).not.toContain(conversation);
  }
});
