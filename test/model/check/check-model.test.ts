import { expect, onTestFinished, test } from 'vitest';
import { modelConfigSchema } from '../../../src/config/model.ts';
import { checkModel, type ModelCheck } from '../../../src/model/check/check-model.ts';
import type { CheckResult } from '../../../src/model/check/check-result.ts';
import { modelSettings } from '../../../src/model/model-settings.ts';
import type { ChatScript } from '../../support/chat-answer.ts';
import { whileTimePasses } from '../../support/chat-model.ts';
import { type ChatServer, type ChatServerOptions, startChatServer } from '../../support/chat-server.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

interface Checked {
  readonly result: ModelCheck;
  readonly server: ChatServer;
  readonly states: Readonly<Record<string, CheckResult['state']>>;
  readonly message: (name: string) => string;
}

const check = async (
  script: ChatScript,
  options: ChatServerOptions & { readonly config?: object } = {},
): Promise<Checked> => {
  const server = await startChatServer(script, options);
  onTestFinished(async () => {
    await server.close();
    expect(server.refusals).toEqual([]);
  });
  const clock = createFakeClock();
  const config = { provider: 'openai-compatible', baseUrl: server.baseUrl, name: 'm', ...options.config };
  const settings = modelSettings(modelConfigSchema.parse(config));
  if (settings === null) throw new Error('no model is configured');
  const told: CheckResult[] = [];
  const asked = checkModel(settings, {
    clock,
    random: () => 0,
    signal: new AbortController().signal,
    onResult: (one) => told.push(one),
  });
  const result = await whileTimePasses(clock, asked);
  expect(new Set(told)).toEqual(new Set(result.results));
  return {
    result,
    server,
    states: Object.fromEntries(result.results.map(({ name, state }) => [name, state])),
    message: (name) => result.results.find((one) => one.name === name)?.message ?? '',
  };
};

/** Does what it is told, as a model does that is made for tools. */
const capable: ChatScript = function* ({ messages, tools }) {
  const last = messages.at(-1);
  if (last?.role === 'user' && tools.length > 0)
    yield { kind: 'call', name: 'report_word', arguments: { word: 'lighthouse' } };
  else yield { kind: 'text', text: 'done' };
};

test('a model that can do its part is told so, in two short questions and a long one', async () => {
  const { result, states, server } = await check(capable, { config: { prices: { inputUsd: 0, outputUsd: 0 } } });
  expect(states).toEqual({ reachable: 'ok', model: 'ok', tools: 'ok', context: 'ok', price: 'ok' });
  expect(result).toMatchObject({ ok: true, costUsd: 0 });
  expect(server.requests.map(({ text }) => text.length > 10_000)).toEqual([false, false, true]);
  expect(result.usage.inputTokens).toBeGreaterThan(5_000);
});

test.each<readonly [string, ChatScript, RegExp]>([
  ['silent', () => [], /did not call the tool/],
  ['talkative', () => [{ kind: 'text', text: 'Sure, I can help.' }], /did not call the tool/],
  [
    'printing its calls',
    () => [{ kind: 'text', text: '<tool_call>{"name": "report_word"}</tool_call>' }],
    /as text.*--jinja/,
  ],
  ['writing no JSON', () => [{ kind: 'call', name: 'report_word', arguments: '{"word": "light' }], /no JSON/],
  ['inventing tools', () => [{ kind: 'call', name: 'rm', arguments: {} }], /does not exist/],
  ['inventing arguments', () => [{ kind: 'call', name: 'report_word', arguments: { text: 'x' } }], /other arguments/],
  ['looping', () => [{ kind: 'call', name: 'report_word', arguments: { word: 'lighthouse' } }], /again/],
  ['never ending', () => [{ kind: 'finish', reason: 'length' }], /without coming to a call/],
])('a model that is %s fails at tools alone', async (_name, script, why) => {
  const { states, message, result } = await check(function* (request) {
    if (request.tools.length > 0) yield* script(request) as Iterable<never>;
  });
  expect(states).toMatchObject({ reachable: 'ok', model: 'ok', tools: 'failed', context: 'ok' });
  expect(message('tools')).toMatch(why);
  expect(result.ok).toBe(false);
});

test('a model whose server has no tools for it fails at tools', async () => {
  const body = { error: { message: 'm does not support tools' } };
  const { states } = await check(() => [{ kind: 'status', status: 400, body }]);
  expect(states).toMatchObject({ reachable: 'ok', model: 'ok', tools: 'failed', context: 'skipped' });
});

test('a wrong name is told with the one that was meant', async () => {
  const { states, message } = await check(capable, { models: { 'qwen3:8b': {} }, config: { name: 'qwen3:8' } });
  expect(states).toMatchObject({ reachable: 'ok', model: 'failed', tools: 'skipped', context: 'skipped' });
  expect(message('model')).toMatch(/has no model "qwen3:8".*did you mean "qwen3:8b"\?/);
});

test('a wrong name that is like no other is told with what there is', async () => {
  const models = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`other-${index}`, {}]));
  const { message } = await check(capable, { models, config: { name: 'zebra' } });
  expect(message('model')).toMatch(/it has other-0, other-1, other-2, other-3, other-4 and 2 more/);
});

test('a wrong key, and nobody at all', async () => {
  const wrong = await check(capable, { apiKey: 'right', config: { apiKey: 'wrong' } });
  expect(wrong.states).toEqual({
    reachable: 'failed',
    model: 'skipped',
    tools: 'skipped',
    context: 'skipped',
    price: 'unknown',
  });
  expect(wrong.message('reachable')).toMatch(/does not accept these credentials \(401\)/);
  const nobody = await check(capable, { config: { baseUrl: 'http://127.0.0.1:1/v1' } });
  expect(nobody.states).toMatchObject({ reachable: 'failed', model: 'skipped' });
  expect(nobody.message('reachable')).toMatch(/refused the connection/);
});

test('an address without its /v1 is told as that', async () => {
  const first = await startChatServer(capable);
  onTestFinished(first.close);
  const { message } = await check(capable, { config: { baseUrl: first.baseUrl.replace('/v1', '') } });
  expect(message('model')).toMatch(/is model\.baseUrl right, with `\/v1`/);
});

test('a server that drops what does not fit is found out', async () => {
  const { states, message } = await check(capable, { contextTokens: 4_096, truncates: true });
  expect(states).toMatchObject({ tools: 'ok', context: 'failed' });
  expect(message('context')).toMatch(
    /takes 4096 tokens, patrold would send up to 32768: set model.contextTokens to 4096/,
  );
});

test('a server that refuses what does not fit is found out too', async () => {
  const { message } = await check(capable, { contextTokens: 4_096 });
  expect(message('context')).toMatch(/12000 tokens do not fit/);
});

test.each<readonly [string, ChatServerOptions]>([
  ['vLLM', { models: { m: { max_model_len: 8_192 } } }],
  ['OpenRouter', { models: { m: { context_length: 8_192 } } }],
  ['llama.cpp', { documents: { '/props': { default_generation_settings: { n_ctx: 8_192 } } } }],
  ['Ollama', { documents: { '/api/ps': { models: [{ name: 'm:latest', context_length: 8_192 }] } } }],
])('what %s says of its window is believed, and no long text is sent', async (_name, options) => {
  const small = await check(capable, options);
  expect(small.message('context')).toMatch(/takes 8192 tokens/);
  const fitting = await check(capable, { ...options, config: { contextTokens: 8_000 } });
  expect(fitting.states).toMatchObject({ context: 'ok' });
  expect(fitting.server.requests).toHaveLength(2);
});

test('limits in money without a price are a failure, since they can not hold', async () => {
  const { states, message } = await check(capable, { config: { budget: { usdPerDay: 1 } } });
  expect(states).toMatchObject({ price: 'failed' });
  expect(message('price')).toMatch(/limits in USD of model.budget can not hold; set model.prices/);
});

test('a server that reports no tokens leaves its window open', async () => {
  const { states, result } = await check(function* (request) {
    yield* capable(request) as Iterable<never>;
    yield { kind: 'usage', usage: null };
  });
  expect(states).toMatchObject({ context: 'unknown' });
  expect(result).toMatchObject({ ok: true, usage: { estimated: true } });
});

test('cancelling ends it', async () => {
  const server = await startChatServer(capable);
  onTestFinished(server.close);
  const settings = modelSettings(
    modelConfigSchema.parse({ provider: 'openai-compatible', baseUrl: server.baseUrl, name: 'm' }),
  );
  if (settings === null) throw new Error('no model is configured');
  const deps = { clock: createFakeClock(), random: () => 0, onResult: () => undefined };
  await expect(checkModel(settings, { ...deps, signal: AbortSignal.abort() })).rejects.toMatchObject({
    kind: 'cancelled',
  });
});
