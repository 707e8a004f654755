import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { type Heard, Listener } from '../../src/model/hear-answer.ts';

const NOTHING: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const hear = (...parts: readonly LanguageModelV4StreamPart[]): Heard => {
  const listener = new Listener(() => undefined);
  for (const part of parts) listener.hear(part);
  return listener.heard();
};
const call = (toolCallId: string, input = '{}'): LanguageModelV4StreamPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  input,
});

test('calls that share an id get ids of their own, so that each can be answered', () => {
  const ids = hear(call('a'), call('a'), call('')).toolCalls.map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
});

test.each([
  ['', {}, undefined],
  ['  ', {}, undefined],
  ['{"at": 1}', { at: 1 }, undefined],
  ['[1]', [1], undefined],
  ['"text"', 'text', undefined],
  ['{"at": ', null, '{"at": '],
  ['{}{}', null, '{}{}'],
])('arguments %j', (input, value, malformed) => {
  expect(hear(call('a', input)).toolCalls[0]).toEqual({
    id: 'a',
    name: 'look',
    arguments: value,
    ...(malformed === undefined ? {} : { malformed }),
  });
});

test('what is malformed is kept only as far as it explains', () => {
  expect(hear(call('a', `{${'x'.repeat(10_000)}`)).toolCalls[0]?.malformed).toHaveLength(2_000);
});

test('a sign of life is no piece of an answer', () => {
  const listener = new Listener(() => undefined);
  expect(listener.hear({ type: 'ping' })).toBe(false);
  expect(listener.hear({ type: 'stream-start', warnings: [] })).toBe(false);
  expect(listener.hear({ type: 'reasoning-delta', id: '0', delta: 'hm' })).toBe(true);
});

test('a provider that ends without saying why has not ended', () => {
  const finish = { type: 'finish', usage: NOTHING, finishReason: { unified: 'interrupted', raw: undefined } } as const;
  expect(() => hear(finish)).toThrow(/ended early/);
  expect(hear({ type: 'text-delta', id: '0', delta: 'x' }).finish).toBeNull();
});

test('usage counts only when input and output are both told', () => {
  const finishReason = { unified: 'stop', raw: 'stop' } as const;
  const half = { ...NOTHING, outputTokens: { ...NOTHING.outputTokens, total: 5 } };
  expect(hear({ type: 'finish', usage: half, finishReason }).usage).toBeNull();
});

test('thoughts are joined by their id, with the signature that comes last', () => {
  const { thoughts, text } = hear(
    { type: 'reasoning-start', id: 'a' },
    { type: 'reasoning-delta', id: 'a', delta: 'one ' },
    { type: 'reasoning-delta', id: 'b', delta: 'other' },
    { type: 'reasoning-delta', id: 'a', delta: 'two' },
    { type: 'reasoning-end', id: 'a', providerMetadata: { p: { signature: 's' } } },
  );
  expect(thoughts).toEqual([
    { text: 'one two', options: { p: { signature: 's' } } },
    { text: 'other', options: undefined },
  ]);
  expect(text).toBe('');
});
