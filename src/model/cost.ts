/** What a turn costs. */

import type { Price } from './known-models.ts';
import type { Usage } from './model.ts';

const MILLION = 1_000_000;

/** US dollars; null where no price is known. */
export const costUsd = (usage: Usage, price: Price | null): number | null => {
  if (price === null) return null;
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens = 0 } = usage;
  const plainTokens = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  return (
    (plainTokens * price.inputUsd +
      cachedInputTokens * price.cachedInputUsd +
      cacheWriteTokens * price.cacheWriteUsd +
      outputTokens * price.outputUsd) /
    MILLION
  );
};

export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  ...(a.cacheWriteTokens === undefined && b.cacheWriteTokens === undefined
    ? {}
    : { cacheWriteTokens: (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0) }),
  estimated: a.estimated || b.estimated,
});

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, estimated: false };
