/** Spending that is remembered for as long as the process lives: for checks, drills and whoever keeps nothing. */
import type { Charge, SpendingLog } from './budget.ts';
import { tokensOf } from './budget.ts';

export const createSpendingInMemory = (): SpendingLog => {
  const charges: Charge[] = [];
  return {
    charge: (charge) => {
      charges.push(charge);
    },
    spentSince: (sinceMs) => {
      const recent = charges.filter(({ atMs }) => atMs >= sinceMs);
      return {
        tokens: recent.reduce((sum, { usage }) => sum + tokensOf(usage), 0),
        costUsd: recent.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
      };
    },
  };
};
