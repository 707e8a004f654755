/** What a model may use: per run, per day and per 30 days, in tokens and in money, counted while it works. */
import type { Clock } from '../runtime/clock.ts';
import { costUsd } from './cost.ts';
import type { Price } from './known-models.ts';
import type { Usage } from './model.ts';

/** Names as in the config; a limit that is missing does not hold. */
export interface BudgetLimits {
  readonly tokensPerRun?: number | undefined;
  readonly tokensPerDay?: number | undefined;
  readonly usdPerRun?: number | undefined;
  readonly usdPerDay?: number | undefined;
  readonly usdPer30Days?: number | undefined;
}

export interface Spent {
  readonly tokens: number;
  /** Of what had a price. */
  readonly costUsd: number;
}

export interface Charge {
  /** Wall clock, epoch milliseconds. */
  readonly atMs: number;
  readonly usage: Usage;
  /** Null: the price was not known. */
  readonly costUsd: number | null;
}

/** Remembers over runs and restarts. */
export interface SpendingLog {
  /** Durable when it returns. */
  charge(charge: Charge): void;
  spentSince(sinceMs: number): Spent;
}

export interface OutOfBudget {
  readonly limit: keyof BudgetLimits;
  readonly allowed: number;
  readonly spent: number;
}

const DAY_MS = 86_400_000;

export const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

export interface Budget {
  /** The first limit that a request of about so many tokens would not fit into; null: it may be sent. */
  refusal(tokens: number): OutOfBudget | null;
  charge(usage: Usage): void;
  /** Of this run. */
  spent(): Spent;
}

export interface BudgetDeps {
  readonly limits: BudgetLimits;
  /** Null: not known; then limits in money can't hold, and those in tokens have to. */
  readonly price: Price | null;
  readonly log: SpendingLog;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** One for each run. */
export const createBudget = ({ limits, price, log, clock }: BudgetDeps): Budget => {
  let run: Spent = { tokens: 0, costUsd: 0 };
  const refusal = (tokens: number): OutOfBudget | null => {
    const nowMs = clock.nowMs();
    // Only what is asked for is read.
    const day = limits.tokensPerDay ?? limits.usdPerDay;
    const lastDay = day === undefined ? run : log.spentSince(nowMs - DAY_MS);
    const lastMonth = limits.usdPer30Days === undefined ? run : log.spentSince(nowMs - 30 * DAY_MS);
    const input: Usage = { inputTokens: tokens, outputTokens: 0, cachedInputTokens: 0, estimated: true };
    const costs = costUsd(input, price);
    const checks: readonly (readonly [keyof BudgetLimits, number, number | null])[] = [
      ['tokensPerRun', run.tokens, tokens],
      ['tokensPerDay', lastDay.tokens, tokens],
      ['usdPerRun', run.costUsd, costs],
      ['usdPerDay', lastDay.costUsd, costs],
      ['usdPer30Days', lastMonth.costUsd, costs],
    ];
    for (const [limit, spent, more] of checks) {
      const allowed = limits[limit];
      if (allowed !== undefined && more !== null && (spent >= allowed || spent + more > allowed))
        return { limit, allowed, spent };
    }
    return null;
  };
  return {
    refusal,
    spent: () => run,
    charge: (usage) => {
      const cost = costUsd(usage, price);
      log.charge({ atMs: clock.nowMs(), usage, costUsd: cost });
      run = { tokens: run.tokens + tokensOf(usage), costUsd: run.costUsd + (cost ?? 0) };
    },
  };
};
