import { expect, test } from 'vitest';
import { modelConfigSchema } from '../../src/config/model.ts';
import { DEFAULT_CONTEXT_TOKENS, modelSettings } from '../../src/model/model-settings.ts';

const settingsOf = (config: object) => modelSettings(modelConfigSchema.parse(config));

test('no provider is no model', () => {
  expect(settingsOf({})).toBeNull();
});

test('what the config leaves out is what patrold knows', () => {
  expect(settingsOf({ provider: 'anthropic', name: 'claude-haiku-4-5', apiKey: 'k' })).toMatchObject({
    baseUrl: 'https://api.anthropic.com/v1',
    contextTokens: 200_000,
    price: { inputUsd: 1, outputUsd: 5, cachedInputUsd: 0.1, cacheWriteUsd: 1.25 },
    timeouts: { firstTokenMs: 180_000, idleMs: 60_000, totalMs: 600_000 },
    limits: { tokensPerRun: 200_000, tokensPerDay: 2_000_000 },
  });
});

test('what the config says wins', () => {
  const prices = { inputUsd: 0, outputUsd: 0 };
  const own = {
    provider: 'openai',
    name: 'gpt-4o',
    apiKey: 'k',
    baseUrl: 'https://proxy.example/v1/',
    contextTokens: 9_000,
    prices,
  };
  expect(settingsOf(own)).toMatchObject({
    baseUrl: 'https://proxy.example/v1',
    contextTokens: 9_000,
    price: { inputUsd: 0, outputUsd: 0, cachedInputUsd: 0, cacheWriteUsd: 0 },
  });
});

test('a server of one’s own has no known price', () => {
  expect(settingsOf({ provider: 'openai-compatible', name: 'gpt-4o', baseUrl: 'http://127.0.0.1:1/v1' })).toMatchObject(
    {
      price: null,
      contextTokens: DEFAULT_CONTEXT_TOKENS,
    },
  );
});
