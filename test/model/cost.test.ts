import { expect, test } from 'vitest';
import { addUsage, costUsd, NO_USAGE } from '../../src/model/cost.ts';
import type { Usage } from '../../src/model/model.ts';

const PRICE = { inputUsd: 4, outputUsd: 20, cachedInputUsd: 0.4, cacheWriteUsd: 5 };
const USAGE: Usage = {
  inputTokens: 1_000_000,
  outputTokens: 100_000,
  cachedInputTokens: 500_000,
  cacheWriteTokens: 200_000,
  estimated: false,
};

test('what was cached, what was written to the cache and the rest have prices of their own', () => {
  expect(costUsd(USAGE, PRICE)).toBeCloseTo(0.3 * 4 + 0.5 * 0.4 + 0.2 * 5 + 0.1 * 20, 9);
});

test('a provider that reports more cached than sent is not paid back', () => {
  expect(costUsd({ ...NO_USAGE, inputTokens: 10, cachedInputTokens: 1_000_000 }, PRICE)).toBeCloseTo(0.4, 9);
});

test('without a price there is no cost, which is not the same as none', () => {
  expect(costUsd(USAGE, null)).toBeNull();
});

test('usages add up, and a sum with an estimate is one', () => {
  const sum = addUsage(USAGE, { ...USAGE, cacheWriteTokens: 1, estimated: true });
  expect(sum).toEqual({
    inputTokens: 2_000_000,
    outputTokens: 200_000,
    cachedInputTokens: 1_000_000,
    cacheWriteTokens: 200_001,
    estimated: true,
  });
  expect(addUsage(NO_USAGE, NO_USAGE)).toEqual(NO_USAGE);
});
