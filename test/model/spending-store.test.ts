import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSpendingStore } from '../../src/model/spending-store.ts';
import { openDatabase } from '../../src/runtime/database.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const NOON_MS = Date.UTC(2026, 2, 10, 12);
const DAY_MS = 86_400_000;
const used = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens: 0,
  estimated: false,
});

const open = (path = join(temporaryDirectory(), 'spending.db')) => {
  const db = openDatabase({ path });
  onTestFinished(() => db.close());
  return createSpendingStore(db);
};

test('what was used counts from when it is asked, over restarts', () => {
  const path = join(temporaryDirectory(), 'spending.db');
  const first = open(path);
  expect(first.spentSince(0)).toEqual({ tokens: 0, costUsd: 0 });
  first.charge({ atMs: NOON_MS - DAY_MS, usage: used(1_000, 100), costUsd: 0.5 });
  first.charge({ atMs: NOON_MS, usage: used(2_000, 200), costUsd: null });
  const again = open(path);
  expect(again.spentSince(NOON_MS - DAY_MS)).toEqual({ tokens: 3_300, costUsd: 0.5 });
  expect(again.spentSince(NOON_MS - DAY_MS + 1)).toEqual({ tokens: 2_200, costUsd: 0 });
});

test('days are told newest first, with what had no price', () => {
  const store = open();
  store.charge({ atMs: NOON_MS - DAY_MS, usage: used(1_000, 100), costUsd: 0.5 });
  store.charge({ atMs: NOON_MS, usage: { ...used(10, 1), cachedInputTokens: 4 }, costUsd: 0.25 });
  store.charge({ atMs: NOON_MS + 1, usage: used(20, 2), costUsd: null });
  expect(store.byDay(0)).toEqual([
    {
      day: '2026-03-10',
      attempts: 2,
      inputTokens: 30,
      outputTokens: 3,
      cachedInputTokens: 4,
      costUsd: 0.25,
      unpriced: 1,
    },
    {
      day: '2026-03-09',
      attempts: 1,
      inputTokens: 1_000,
      outputTokens: 100,
      cachedInputTokens: 0,
      costUsd: 0.5,
      unpriced: 0,
    },
  ]);
  expect(store.byDay(NOON_MS)).toHaveLength(1);
  expect(store.prune(NOON_MS)).toBe(1);
  expect(store.byDay(0)).toHaveLength(1);
});
