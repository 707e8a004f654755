import { expect, test } from 'vitest';
import { knownModel } from '../../src/model/known-models.ts';

test('a dated edition is its model', () => {
  expect(knownModel('anthropic', 'claude-haiku-4-5-20251001')).toEqual(knownModel('anthropic', 'claude-haiku-4-5'));
  expect(knownModel('openai', 'gpt-4o-2024-08-06')?.price.inputUsd).toBe(2.5);
});

test.each([
  ['anthropic', 'claude-haiku-9'],
  ['openai', 'gpt-5-pro'],
  ['openai', 'constructor'],
  ['openai-compatible', 'gpt-4o'],
] as const)('%s %s is not guessed', (provider, name) => {
  expect(knownModel(provider, name)).toBeNull();
});
