import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelMessage, ToolCall } from '../../src/model/model.ts';
import { openaiCompatible } from '../../src/model/providers/openai-compatible.ts';
import { toCallOptions } from '../../src/model/to-prompt.ts';
import { ASKED, chatModel } from '../support/chat-model.ts';

/** Whatever a model may have written as a call. */
const callContent = fc.record({
  name: fc.oneof(fc.constantFrom('look', 'patrol_report_finding', ''), fc.string()),
  arguments: fc.oneof(fc.jsonValue(), fc.record({ at: fc.string() })),
  malformed: fc.option(fc.string(), { nil: undefined }),
});

const exchange = fc
  .record({
    said: fc.string(),
    calls: fc.array(callContent, { maxLength: 4 }),
    reply: fc.string(),
    isError: fc.boolean(),
    next: fc.string(),
  })
  .map(({ said, calls, reply, isError, next }): readonly ModelMessage[] => {
    const toolCalls: readonly ToolCall[] = calls.map(({ malformed, ...call }, index) => ({
      id: `call-${index}`,
      ...call,
      ...(malformed === undefined ? {} : { malformed }),
    }));
    const replies = toolCalls.map(({ id, name }) => ({ callId: id, name, text: reply, isError }));
    return [
      { role: 'assistant', text: said, toolCalls },
      ...(replies.length > 0 ? [{ role: 'tool', replies } as const] : []),
      { role: 'user', text: next },
    ];
  });

test('every conversation that can come about is one that the protocol allows', async () => {
  const { turn, server } = await chatModel(() => [{ kind: 'text', text: 'go on' }], {
    config: { budget: { tokensPerRun: 1e9, tokensPerDay: 1e9 } },
  });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(exchange, { maxLength: 4 }), async (exchanges) => {
      await turn({ messages: [...ASKED.messages, ...exchanges.flat()] });
      count += 1;
      expect(server.requests).toHaveLength(count);
    }),
    { numRuns: 60 },
  );
});

test('replies keep their order and their ids, and an error is marked as one', () => {
  const replies = ['b', 'a'].map((callId) => ({ callId, name: 'look', text: `of ${callId}`, isError: callId === 'a' }));
  const { prompt } = toCallOptions({ ...ASKED, messages: [{ role: 'tool', replies }] }, openaiCompatible, 'm');
  expect(prompt.at(-1)).toMatchObject({
    role: 'tool',
    content: [
      { toolCallId: 'b', output: { type: 'text', value: 'of b' } },
      { toolCallId: 'a', output: { type: 'error-text', value: 'of a' } },
    ],
  });
});
