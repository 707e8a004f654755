/** A model that is not asked what its budget does not hold, and whose every attempt is charged. */
import type { Budget, OutOfBudget } from './budget.ts';
import { estimateUsage } from './estimate-usage.ts';
import type { Model } from './model.ts';
import { ModelFailure } from './model-failure.ts';

const amount = (limit: string, value: number): string =>
  limit.startsWith('usd') ? `${value.toFixed(2)} USD` : `${Math.round(value)} tokens`;

/** `model.budget.tokensPerRun: 198000 tokens of 200000 tokens are used`. */
export const describeRefusal = ({ limit, allowed, spent }: OutOfBudget): string =>
  `model.budget.${limit}: ${amount(limit, spent)} of ${amount(limit, allowed)} are used, and the next turn does not fit`;

export const budgetedModel = (model: Model, budget: Budget): Model => ({
  provider: model.provider,
  name: model.name,
  contextTokens: model.contextTokens,
  turn: async (request, options) => {
    const refused = budget.refusal(estimateUsage(request, '').inputTokens);
    if (refused !== null)
      throw new ModelFailure('out_of_budget', describeRefusal(refused), { details: { limit: refused.limit } });
    return model.turn(request, {
      ...options,
      onUsage: (usage) => {
        budget.charge(usage);
        options.onUsage(usage);
      },
    });
  },
});
