import { expect, test } from 'vitest';
import { ASKED, whileTimePasses } from '../../support/chat-model.ts';
import { providerWire } from '../../support/provider-wire.ts';

const MODEL = { provider: 'anthropic', name: 'claude-sonnet-4-5' };

/** The events of the Messages API, as its documentation of streaming shows them. */
const THINKS_AND_CALLS = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 10, cache_creation_input_tokens: 200, cache_read_input_tokens: 3_000, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'A look will tell.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'signed' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Let me look.' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
  },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"at": "no' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: 'de/one"}' } },
  { type: 'content_block_stop', index: 2 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 40 } },
  { type: 'message_stop' },
];

test('text, thoughts, calls and usage are heard', async () => {
  const { turn, usages } = await providerWire(MODEL, [{ events: THINKS_AND_CALLS }]);
  expect(await turn()).toMatchObject({
    text: 'Let me look.',
    finish: 'tool_calls',
    toolCalls: [{ id: 'toolu_1', name: 'look', arguments: { at: 'node/one' } }],
  });
  expect(usages).toEqual([
    { inputTokens: 3_210, cachedInputTokens: 3_000, cacheWriteTokens: 200, outputTokens: 40, estimated: false },
  ]);
});

test('the key, the tools and the marks of the cache are sent as the API wants them', async () => {
  const { turn, sent } = await providerWire(MODEL, [{ events: THINKS_AND_CALLS }]);
  await turn({
    messages: [...ASKED.messages, { role: 'assistant', text: 'hm', toolCalls: [] }, { role: 'user', text: 'and?' }],
  });
  const cache_control = { type: 'ephemeral' };
  expect(sent[0]).toMatchObject({
    path: '/v9/messages',
    headers: { 'x-api-key': 'the-key' },
    body: {
      stream: true,
      max_tokens: 500,
      system: [{ type: 'text', text: ASKED.system, cache_control }],
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'How are they?' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'hm' }] },
        { role: 'user', content: [{ type: 'text', text: 'and?', cache_control }] },
      ],
    },
  });
  expect(JSON.stringify(sent[0]?.body).match(/cache_control/g)).toHaveLength(2);
});

test('thoughts go back with their signature, before the call they led to', async () => {
  const { turn, sent } = await providerWire(MODEL, [{ events: THINKS_AND_CALLS }]);
  const { text, toolCalls, opaque } = await turn();
  await turn({
    messages: [
      ...ASKED.messages,
      { role: 'assistant', text, toolCalls, opaque: JSON.parse(JSON.stringify(opaque)) },
      { role: 'tool', replies: [{ callId: 'toolu_1', name: 'look', text: 'it is well', isError: false }] },
    ],
  });
  const messages = sent[1]?.body['messages'] as readonly object[];
  expect(messages[1]).toMatchObject({
    content: [
      { type: 'thinking', thinking: 'A look will tell.', signature: 'signed' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'toolu_1', input: { at: 'node/one' } },
    ],
  });
  expect(messages[2]).toMatchObject({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] });
});

test('an overload that is told inside the stream is tried again', async () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const { turn, clock, sent } = await providerWire(MODEL, [
    { events: [...THINKS_AND_CALLS.slice(0, 5), overloaded] },
    { events: THINKS_AND_CALLS },
  ]);
  expect(await whileTimePasses(clock, turn())).toMatchObject({ text: 'Let me look.' });
  expect(sent).toHaveLength(2);
});

test('a stream that ends without its last events is no answer', async () => {
  const { turn, clock, sent } = await providerWire(MODEL, [{ events: THINKS_AND_CALLS.slice(0, 8) }]);
  await expect(whileTimePasses(clock, turn())).rejects.toMatchObject({ kind: 'unreachable' });
  expect(sent).toHaveLength(3);
});
