import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BudgetLimits, createBudget } from '../../src/model/budget.ts';
import type { Usage } from '../../src/model/model.ts';
import { createSpendingInMemory } from '../../src/model/spending-in-memory.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const PRICE = { inputUsd: 2, outputUsd: 10, cachedInputUsd: 0.2, cacheWriteUsd: 2 };
const HOUR_MS = 3_600_000;
const used = (inputTokens: number, outputTokens = 0): Usage => ({
  inputTokens,
  outputTokens,
  cachedInputTokens: 0,
  estimated: false,
});

const house = (limits: BudgetLimits, price: typeof PRICE | null = PRICE) => {
  const clock = createFakeClock();
  const log = createSpendingInMemory();
  return { clock, run: () => createBudget({ limits, price, log, clock }) };
};

test('tokens of a run are input and output, and a new run starts anew', () => {
  const { run } = house({ tokensPerRun: 1_000 });
  const first = run();
  first.charge(used(600, 300));
  expect(first.refusal(100)).toBeNull();
  expect(first.refusal(101)).toEqual({ limit: 'tokensPerRun', allowed: 1_000, spent: 900 });
  expect(run().refusal(1_000)).toBeNull();
});

test('a day and thirty days are over all runs, and move on with the clock', async () => {
  const { run, clock } = house({ tokensPerDay: 1_000, usdPer30Days: 0.004 });
  run().charge(used(1_000));
  expect(run().refusal(1)).toMatchObject({ limit: 'tokensPerDay' });
  await clock.advance(25 * HOUR_MS);
  expect(run().refusal(900)).toBeNull();
  run().charge(used(1_000));
  await clock.advance(25 * HOUR_MS);
  expect(run().refusal(1)).toMatchObject({ limit: 'usdPer30Days', spent: 0.004 });
  await clock.advance(30 * 24 * HOUR_MS);
  expect(run().refusal(900)).toBeNull();
});

test('money is counted by the price of what was used', () => {
  const budget = house({ usdPerRun: 1 }).run();
  budget.charge({ inputTokens: 100_000, outputTokens: 50_000, cachedInputTokens: 100_000, estimated: false });
  expect(budget.spent()).toEqual({ tokens: 150_000, costUsd: 0.52 });
  expect(budget.refusal(240_000)).toBeNull();
  expect(budget.refusal(240_001)).toMatchObject({ limit: 'usdPerRun' });
});

test('without a price the limits in money say nothing, and those in tokens hold', () => {
  const budget = house({ usdPerRun: 0.000_001, usdPerDay: 0.000_001, tokensPerRun: 1_000 }, null).run();
  expect(budget.refusal(1_000)).toBeNull();
  expect(budget.refusal(1_001)).toMatchObject({ limit: 'tokensPerRun' });
});

test('what is let through by the estimate never exceeds a limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.array(fc.nat(2_000)), (allowed, requests) => {
      const budget = house({ tokensPerRun: allowed, tokensPerDay: allowed }).run();
      for (const tokens of requests) if (budget.refusal(tokens) === null) budget.charge(used(tokens));
      expect(budget.spent().tokens).toBeLessThanOrEqual(allowed);
    }),
  );
});
