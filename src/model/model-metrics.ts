/** Metrics of models: turns and how they ended, tokens, money, and providers that are left alone. */
import type { Clock } from '../runtime/clock.ts';
import { Counter, Histogram, type Metrics, secondsOf } from '../runtime/metrics.ts';
import type { Circuits } from './circuit.ts';
import { costUsd } from './cost.ts';
import type { Price } from './known-models.ts';
import type { Model } from './model.ts';
import { FAILURE_CODES, ModelFailure } from './model-failure.ts';

export interface ModelMetrics {
  /** The same model, observed. */
  observe(model: Model, price: Price | null): Model;
}

export interface ModelMetricsDeps {
  readonly metrics: Metrics;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly circuits: Circuits;
}

const TURN_BUCKETS_SECONDS = [0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600];

export const createModelMetrics = ({ metrics, clock, circuits }: ModelMetricsDeps): ModelMetrics => {
  const registers = [metrics.registry];
  const turns = new Counter({
    name: 'patrold_model_turns_total',
    help: 'Turns of the model, by outcome: ok, or why there was none',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['ok', ...Object.keys(FAILURE_CODES)]) turns.inc({ outcome }, 0);
  const seconds = new Histogram({
    name: 'patrold_model_turn_duration_seconds',
    help: 'How long turns of the model took, retries and waiting included',
    buckets: TURN_BUCKETS_SECONDS,
    registers,
  });
  const tokens = new Counter({
    name: 'patrold_model_tokens_total',
    help: 'Tokens that the model used, failed attempts included: cached input is a part of input',
    labelNames: ['kind'],
    registers,
  });
  for (const kind of ['input', 'cached_input', 'output']) tokens.inc({ kind }, 0);
  const money = new Counter({
    name: 'patrold_model_cost_usd_total',
    help: 'What the model cost in US dollars, where its price is known',
    registers,
  });
  metrics.addReadGauge({
    name: 'patrold_model_provider_left_alone',
    help: 'Whether a provider failed so often that it is left alone for now',
    labelNames: ['origin'],
    read: () =>
      circuits.all().map(({ origin, circuit }) => ({ labels: { origin }, value: circuit.waitMs() > 0 ? 1 : 0 })),
  });
  return {
    observe: (model, price) => ({
      provider: model.provider,
      name: model.name,
      contextTokens: model.contextTokens,
      turn: async (request, options) => {
        const startedMs = clock.monotonicMs();
        let outcome = 'ok';
        try {
          return await model.turn(request, {
            ...options,
            onUsage: (usage) => {
              tokens.inc({ kind: 'input' }, usage.inputTokens);
              tokens.inc({ kind: 'cached_input' }, usage.cachedInputTokens);
              tokens.inc({ kind: 'output' }, usage.outputTokens);
              money.inc(costUsd(usage, price) ?? 0);
              options.onUsage(usage);
            },
          });
        } catch (error) {
          outcome = error instanceof ModelFailure ? error.kind : 'bad_answer';
          throw error;
        } finally {
          turns.inc({ outcome });
          seconds.observe(secondsOf(clock.monotonicMs() - startedMs));
        }
      },
    }),
  };
};
