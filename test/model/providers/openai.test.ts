import { expect, test } from 'vitest';
import { ASKED } from '../../support/chat-model.ts';
import { providerWire } from '../../support/provider-wire.ts';

const MODEL = { provider: 'openai', name: 'gpt-5-mini' };
const CALL = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'look',
  arguments: '{"at":"node/one"}',
  status: 'completed',
};
const THOUGHT = { id: 'rs_1', type: 'reasoning', encrypted_content: 'sealed', summary: [] };
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', content: [] };
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_767_225_600,
  model: 'gpt-5-mini',
  service_tier: null,
  output: [],
};

/** The events of the Responses API, as its reference of streaming names them. */
const THINKS_AND_CALLS = [
  { type: 'response.created', response: RESPONSE },
  { type: 'response.output_item.added', output_index: 0, item: { ...THOUGHT, encrypted_content: null } },
  { type: 'response.output_item.done', output_index: 0, item: THOUGHT },
  { type: 'response.output_item.added', output_index: 1, item: MESSAGE },
  {
    type: 'response.output_text.delta',
    item_id: 'msg_1',
    output_index: 1,
    content_index: 0,
    delta: 'Let me look.',
    logprobs: [],
  },
  {
    type: 'response.output_item.done',
    output_index: 1,
    item: { ...MESSAGE, content: [{ type: 'output_text', text: 'Let me look.', annotations: [] }] },
  },
  { type: 'response.output_item.added', output_index: 2, item: { ...CALL, arguments: '', status: 'in_progress' } },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 2, delta: CALL.arguments },
  { type: 'response.output_item.done', output_index: 2, item: CALL },
  {
    type: 'response.completed',
    response: {
      ...RESPONSE,
      incomplete_details: null,
      usage: {
        input_tokens: 1_000,
        input_tokens_details: { cached_tokens: 900 },
        output_tokens: 50,
        output_tokens_details: { reasoning_tokens: 20 },
      },
    },
  },
];

test('text, calls and usage are heard', async () => {
  const { turn, usages } = await providerWire(MODEL, [{ events: THINKS_AND_CALLS }]);
  expect(await turn()).toMatchObject({
    text: 'Let me look.',
    finish: 'tool_calls',
    toolCalls: [{ id: 'call_1', name: 'look', arguments: { at: 'node/one' } }],
  });
  expect(usages).toMatchObject([{ inputTokens: 1_000, cachedInputTokens: 900, outputTokens: 50, estimated: false }]);
});

test('nothing that is sent is kept there', async () => {
  const { turn, sent } = await providerWire(MODEL, [{ events: THINKS_AND_CALLS }]);
  await turn();
  expect(sent[0]).toMatchObject({
    path: '/v9/responses',
    headers: { authorization: 'Bearer the-key' },
    body: { model: 'gpt-5-mini', stream: true, store: false, max_output_tokens: 500, prompt_cache_key: 'patrold' },
  });
  expect(sent[0]?.body['include']).toContain('reasoning.encrypted_content');
});

test('sealed thoughts go back, before the call they led to', async () => {
  const { turn, sent } = await providerWire(MODEL, [{ events: THINKS_AND_CALLS }]);
  const { text, toolCalls, opaque } = await turn();
  await turn({
    messages: [
      ...ASKED.messages,
      { role: 'assistant', text, toolCalls, opaque: JSON.parse(JSON.stringify(opaque)) },
      { role: 'tool', replies: [{ callId: 'call_1', name: 'look', text: 'it is well', isError: false }] },
    ],
  });
  const input = sent[1]?.body['input'] as readonly { readonly type?: string; readonly role?: string }[];
  expect(input.map(({ type, role }) => type ?? role)).toEqual([
    'developer',
    'user',
    'reasoning',
    'assistant',
    'function_call',
    'function_call_output',
  ]);
  expect(input[2]).toMatchObject({ encrypted_content: 'sealed' });
});

test('an answer that was filtered is a turn that says so', async () => {
  const response = {
    ...RESPONSE,
    incomplete_details: { reason: 'content_filter' },
    usage: { input_tokens: 5, output_tokens: 0 },
  };
  const { turn } = await providerWire(MODEL, [{ events: [{ type: 'response.incomplete', response }] }]);
  expect(await turn()).toMatchObject({ finish: 'content_filter', text: '' });
});
