import { expect, test } from 'vitest';
import type { Model, ModelRequest } from '../../src/model/model.ts';
import { redactedModel } from '../../src/model/redacted-model.ts';

const SECRET = 'hunter2hunter2';

const recording = (): { readonly model: Model; readonly sent: ModelRequest[] } => {
  const sent: ModelRequest[] = [];
  const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, estimated: false };
  const model: Model = {
    provider: 'test',
    name: 'test',
    contextTokens: 1_000,
    turn: async (request) => {
      sent.push(request);
      return { text: '', toolCalls: [], finish: 'stop', usage };
    },
  };
  return { model, sent };
};

test('a secret on any channel of a request stays here, and the rest of its line goes', async () => {
  const { model, sent } = recording();
  const line = `db: connect to postgres://app:${SECRET}@db.example/app failed, password=${SECRET}, attempt 3`;
  await redactedModel(model).turn(
    {
      system: line,
      messages: [
        { role: 'user', text: line },
        {
          role: 'assistant',
          text: line,
          toolCalls: [{ id: '1', name: 'look', arguments: { why: [line] }, malformed: line }],
        },
        { role: 'tool', replies: [{ callId: '1', name: 'look', text: line, isError: false }] },
      ],
      tools: [],
      maxOutputTokens: 100,
    },
    { signal: new AbortController().signal, onUsage: () => undefined },
  );
  const text = JSON.stringify(sent);
  expect(text).not.toContain(SECRET);
  expect(text.match(/attempt 3/g)).toHaveLength(6);
  expect(text.match(/db\.example/g)).toHaveLength(6);
});
