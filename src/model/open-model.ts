/** From settings to a model that may be asked: everything that stands between patrold and a provider is put on here. */
import type { Clock } from '../runtime/clock.ts';
import { aliasedModel } from './aliased-model.ts';
import type { Aliases } from './aliases.ts';
import { readApiKey } from './api-key.ts';
import { createAttempt } from './attempt.ts';
import type { Budget } from './budget.ts';
import { budgetedModel } from './budgeted-model.ts';
import type { Circuits } from './circuit.ts';
import type { Model } from './model.ts';
import { createModelFetch } from './model-fetch.ts';
import type { ModelSettings } from './model-settings.ts';
import { providerOf } from './providers/index.ts';
import type { Provider } from './providers/provider.ts';
import { redactedModel } from './redacted-model.ts';
import { withRetry } from './retry.ts';

export interface ModelDeps {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Lives as long as the daemon. */
  readonly circuits: Circuits;
  /** Of the run, or whatever else the model is opened for. */
  readonly budget: Budget;
  /** Used where the settings say `replaceNames`. */
  readonly aliases: Aliases;
}

export interface OpenModel {
  readonly model: Model;
  readonly origin: string;
  /** Ends the connections; what is under way fails. */
  close(): void;
}

/** Nothing is loaded or connected before the first turn. */
export const openModel = (settings: ModelSettings, deps: ModelDeps): OpenModel => {
  const { name, baseUrl, timeouts, contextTokens } = settings;
  const provider = providerOf(settings.provider);
  const { origin, fetch, close } = createModelFetch(baseUrl, settings.tls);
  const { clock, random } = deps;
  let loaded: ReturnType<Provider['load']> | null = null;
  const load = (): ReturnType<Provider['load']> => {
    loaded ??= readApiKey(settings).then((apiKey) => provider.load({ baseUrl, apiKey, name, fetch }));
    // A key that could not be read may be there next time.
    loaded.catch(() => {
      loaded = null;
    });
    return loaded;
  };
  const attempt = createAttempt({ provider, name, origin, load, timeouts, clock });
  const turn = withRetry(attempt, { clock, random, circuit: deps.circuits.of(origin), timeouts, origin });
  const sent: Model = { provider: provider.type, name, contextTokens, turn };
  // Secrets go before names: what looks like a secret has to be seen as it was written.
  const told = redactedModel(settings.replaceNames ? aliasedModel(sent, deps.aliases) : sent);
  return { model: budgetedModel(told, deps.budget), origin, close };
};
