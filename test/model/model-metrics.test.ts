import { expect, test } from 'vitest';
import { createCircuits } from '../../src/model/circuit.ts';
import { createModelMetrics } from '../../src/model/model-metrics.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { ASKED, chatModel, whileTimePasses } from '../support/chat-model.ts';

test('turns, tokens, money and a provider that is left alone are seen', async () => {
  const { model, clock, abort } = await chatModel(
    function* ({ index }) {
      if (index > 0) yield { kind: 'status', status: 429, headers: { 'retry-after': '600' } };
      yield {
        kind: 'usage',
        usage: { prompt_tokens: 1_000_000, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 400_000 } },
      };
    },
    { config: { budget: { tokensPerRun: 10_000_000, tokensPerDay: 10_000_000 } } },
  );
  const metrics = createMetrics({ version: 'test', nodeVersion: 'test' });
  const circuits = createCircuits(clock);
  const price = { inputUsd: 1, outputUsd: 0, cachedInputUsd: 0.5, cacheWriteUsd: 1 };
  const observed = createModelMetrics({ metrics, clock, circuits }).observe(model, price);
  const options = { signal: abort.signal, onUsage: () => undefined };
  await observed.turn(ASKED, options);
  await expect(whileTimePasses(clock, observed.turn(ASKED, options))).rejects.toMatchObject({ kind: 'rate_limited' });
  await expect(observed.turn(ASKED, options)).rejects.toMatchObject({ kind: 'circuit_open' });
  circuits.of('http://model').enter();
  const page = await metrics.page();
  for (const line of [
    'patrold_model_turns_total{outcome="ok"} 1',
    'patrold_model_turns_total{outcome="rate_limited"} 1',
    'patrold_model_turns_total{outcome="circuit_open"} 1',
    'patrold_model_turns_total{outcome="timed_out"} 0',
    'patrold_model_tokens_total{kind="input"} 1000000',
    'patrold_model_tokens_total{kind="cached_input"} 400000',
    'patrold_model_cost_usd_total 0.8',
    'patrold_model_turn_duration_seconds_count 3',
    'patrold_model_provider_left_alone{origin="http://model"} 0',
  ])
    expect(page).toContain(line);
});
