import { expect, test } from 'vitest';
import { ASKED, whileTimePasses } from '../../support/chat-model.ts';
import { providerWire } from '../../support/provider-wire.ts';

const MODEL = { provider: 'google', name: 'gemini-2.5-flash' };

/** As `streamGenerateContent` sends it with `alt=sse`. */
const THINKS_AND_CALLS = [
  { candidates: [{ content: { role: 'model', parts: [{ text: 'Let me ' }] } }] },
  {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: 'look.' },
            { functionCall: { name: 'look', args: { at: 'node/one' } }, thoughtSignature: 'signed' },
          ],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: {
      promptTokenCount: 800,
      cachedContentTokenCount: 300,
      candidatesTokenCount: 12,
      thoughtsTokenCount: 30,
      totalTokenCount: 842,
    },
  },
];

test('text, calls and usage are heard; thoughts are paid for', async () => {
  const { turn, usages } = await providerWire(MODEL, [{ events: THINKS_AND_CALLS }]);
  expect(await turn()).toMatchObject({
    text: 'Let me look.',
    finish: 'tool_calls',
    toolCalls: [{ id: expect.stringMatching(/./), name: 'look', arguments: { at: 'node/one' } }],
  });
  expect(usages).toMatchObject([{ inputTokens: 800, cachedInputTokens: 300, outputTokens: 42, estimated: false }]);
});

test('the key is sent as a header, never in the address', async () => {
  const { turn, sent } = await providerWire(MODEL, [{ events: THINKS_AND_CALLS }]);
  await turn();
  expect(sent[0]).toMatchObject({
    path: '/v9/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    headers: { 'x-goog-api-key': 'the-key' },
    body: {
      systemInstruction: { parts: [{ text: ASKED.system }] },
      generationConfig: { maxOutputTokens: 500 },
      tools: [{ functionDeclarations: [{ name: 'look' }] }],
    },
  });
});

test('a call goes back with the signature that it came with', async () => {
  const { turn, sent } = await providerWire(MODEL, [{ events: THINKS_AND_CALLS }]);
  const { text, toolCalls, opaque } = await turn();
  await turn({
    messages: [
      ...ASKED.messages,
      { role: 'assistant', text, toolCalls, opaque: JSON.parse(JSON.stringify(opaque)) },
      { role: 'tool', replies: [{ callId: toolCalls[0]?.id ?? '', name: 'look', text: 'it is well', isError: false }] },
    ],
  });
  const contents = sent[1]?.body['contents'] as readonly { readonly parts: readonly object[] }[];
  expect(contents[1]?.parts.at(-1)).toMatchObject({ functionCall: { name: 'look' }, thoughtSignature: 'signed' });
  expect(contents[2]?.parts[0]).toMatchObject({ functionResponse: { name: 'look' } });
});

test('the delay that it asks for in the body of a 429 is kept to', async () => {
  const error = {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: 'Quota exceeded for requests per minute',
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' }],
  };
  const { turn, clock } = await providerWire(MODEL, [{ status: 429, json: { error } }, { events: THINKS_AND_CALLS }]);
  const startedMs = clock.monotonicMs();
  await whileTimePasses(clock, turn());
  expect(clock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(12_000);
});
