import { expect, test } from 'vitest';
import { readGoogleList, readOpenaiList } from '../../../src/model/providers/model-list.ts';

test('windows are read under the names that servers give them', () => {
  const data = [
    { id: 'vllm', max_model_len: 1 },
    { id: 'openrouter', context_length: 2 },
    { id: 'anthropic', max_input_tokens: 3 },
    { id: 'groq', context_window: 4 },
    { id: 'openai' },
    { id: 'odd', max_model_len: 'many' },
  ];
  expect(readOpenaiList({ data }).map(({ contextTokens }) => contextTokens)).toEqual([1, 2, 3, 4, null, null]);
});

test('a bad item is left out, and the others stay', () => {
  expect(readOpenaiList({ data: [{ id: 'a' }, { name: 'b' }, null, { id: 'c' }] }).map(({ name }) => name)).toEqual([
    'a',
    'c',
  ]);
});

test('Google names models by their path', () => {
  expect(readGoogleList({ models: [{ name: 'models/gemini-x', inputTokenLimit: 9 }] })).toEqual([
    { name: 'gemini-x', contextTokens: 9 },
  ]);
});

test.each([null, [], 'no', { data: {} }])('%j is no list', (answer) => {
  expect(readOpenaiList(answer)).toEqual([]);
});
