import { expect, test } from 'vitest';
import { chatModel, whileTimePasses } from '../support/chat-model.ts';

test('text arrives as it streams, and what it used is reported once', async () => {
  const { turn, deltas, usages, server } = await chatModel(function* () {
    yield { kind: 'text', text: 'All is well.', pieceLength: 4 };
  });
  const answer = await turn();
  expect(answer).toMatchObject({ text: 'All is well.', toolCalls: [], finish: 'stop' });
  expect(deltas).toEqual(['All ', 'is w', 'ell.']);
  expect(usages).toEqual([answer.usage]);
  expect(answer.usage).toMatchObject({ estimated: false, outputTokens: 4 });
  expect(server.requests[0]).toMatchObject({ model: 'scripted', stream: true, includeUsage: true, maxTokens: 500 });
});

test('tool calls keep their order, their ids and their arguments', async () => {
  const { turn } = await chatModel(function* () {
    yield { kind: 'text', text: 'Let me look.' };
    yield { kind: 'call', name: 'look', arguments: { at: 'node/one' } };
    yield { kind: 'call', name: 'look', arguments: { at: 'node/two' } };
  });
  const { toolCalls, finish, text } = await turn();
  expect({ finish, text }).toEqual({ finish: 'tool_calls', text: 'Let me look.' });
  expect(toolCalls).toEqual([
    { id: 'call_0_0', name: 'look', arguments: { at: 'node/one' } },
    { id: 'call_0_1', name: 'look', arguments: { at: 'node/two' } },
  ]);
});

test('arguments that are no JSON, a tool that was not offered and no arguments at all are handed on as they are', async () => {
  const { turn } = await chatModel(function* () {
    yield { kind: 'call', name: 'look', arguments: '{"at": "node/o' };
    yield { kind: 'call', name: 'delete_everything', arguments: { now: true } };
    yield { kind: 'call', name: 'look', arguments: '' };
  });
  const { toolCalls } = await turn();
  expect(toolCalls).toEqual([
    { id: 'call_0_0', name: 'look', arguments: null, malformed: '{"at": "node/o' },
    { id: 'call_0_1', name: 'delete_everything', arguments: { now: true } },
    { id: 'call_0_2', name: 'look', arguments: {} },
  ]);
});

test('a server that says nothing gives an empty turn, not an error', async () => {
  const { turn } = await chatModel(function* () {});
  expect(await turn()).toMatchObject({ text: '', toolCalls: [], finish: 'stop' });
});

test('usage that a server does not report is estimated', async () => {
  const { turn, usages } = await chatModel(function* () {
    yield { kind: 'text', text: 'fine' };
    yield { kind: 'usage', usage: null };
  });
  await turn();
  expect(usages).toMatchObject([{ estimated: true, outputTokens: 2 }]);
  expect(usages[0]?.inputTokens).toBeGreaterThan(20);
});

test('what a server had in its cache is told', async () => {
  const { turn } = await chatModel(function* () {
    yield {
      kind: 'usage',
      usage: { prompt_tokens: 900, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 800 } },
    };
  });
  expect((await turn()).usage).toEqual({
    inputTokens: 900,
    outputTokens: 3,
    cachedInputTokens: 800,
    estimated: false,
  });
});

test('a cancelled turn ends at once and is charged by an estimate', async () => {
  const begun = Promise.withResolvers<void>();
  const { turn, abort, usages } = await chatModel(async function* () {
    yield { kind: 'text', text: 'I was just about' };
    begun.resolve();
    yield { kind: 'hold', until: new Promise(() => undefined) };
  });
  const asked = turn();
  await begun.promise;
  abort.abort(new Error('enough'));
  await expect(asked).rejects.toMatchObject({ kind: 'cancelled', code: 'model_cancelled' });
  expect(usages).toMatchObject([{ estimated: true }]);
});

test('a turn that was cancelled before it began sends nothing and costs nothing', async () => {
  const { turn, abort, usages, server } = await chatModel(function* () {});
  abort.abort(new Error('enough'));
  await expect(turn()).rejects.toMatchObject({ kind: 'cancelled' });
  expect(server.connections()).toBe(0);
  expect(usages).toEqual([]);
});

test('an answer that does not begin in time is a failure that names the limit', async () => {
  const { turn, clock, usages } = await chatModel(
    async function* () {
      yield { kind: 'hold', until: new Promise(() => undefined) };
    },
    { config: { timeouts: { firstToken: '30s' } } },
  );
  const failed = whileTimePasses(clock, turn());
  await expect(failed).rejects.toMatchObject({
    kind: 'timed_out',
    message: expect.stringMatching(/did not begin to answer within firstTokenMs = 30000 ms/),
    details: { limit: 'firstTokenMs' },
  });
  expect(usages).toMatchObject([{ estimated: true, outputTokens: 0 }]);
});

test('silence inside an answer is a failure of its own, and what was said until then is charged', async () => {
  const { turn, clock, usages } = await chatModel(
    async function* () {
      yield { kind: 'text', text: 'It all began with' };
      yield { kind: 'hold', until: new Promise(() => undefined) };
    },
    { config: { timeouts: { idle: '10s', firstToken: '30s' } } },
  );
  await expect(whileTimePasses(clock, turn())).rejects.toMatchObject({ details: { limit: 'idleMs', ms: 10_000 } });
  expect(usages).toMatchObject([{ estimated: true, outputTokens: 6 }]);
});
