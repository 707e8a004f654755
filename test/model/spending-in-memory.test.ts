import { expect, test } from 'vitest';
import { createSpendingInMemory } from '../../src/model/spending-in-memory.ts';

test('what was spent since an instant is summed, whether it had a price or not', () => {
  const log = createSpendingInMemory();
  const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, estimated: false };
  log.charge({ atMs: 100, usage, costUsd: 0.5 });
  log.charge({ atMs: 200, usage, costUsd: null });
  log.charge({ atMs: 300, usage, costUsd: 0.25 });
  expect(log.spentSince(200)).toEqual({ tokens: 30, costUsd: 0.25 });
  expect(log.spentSince(0)).toEqual({ tokens: 45, costUsd: 0.75 });
});
