/** What the config says of a model, with what follows from it filled in. */
import type { ModelConfig } from '../config/model.ts';
import type { KeySource } from './api-key.ts';
import type { BudgetLimits } from './budget.ts';
import { knownModel, type Price } from './known-models.ts';
import type { ProviderType } from './providers/provider.ts';
import type { ModelTimeouts } from './time-limits.ts';

/** The addresses that the providers publish; a proxy goes into `model.baseUrl`. */
const BASE_URLS: Readonly<Record<ProviderType, string | null>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  'openai-compatible': null,
};

/** For models that patrold does not know; what a server really offers can be less, which `patrold model check` tells. */
export const DEFAULT_CONTEXT_TOKENS = 32_768;

export interface ModelSettings extends KeySource {
  readonly provider: ProviderType;
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly tls: { readonly caFile?: string | undefined; readonly fingerprint?: string | undefined };
  readonly timeouts: ModelTimeouts;
  readonly replaceNames: boolean;
  readonly contextTokens: number;
  /** Null: not known. */
  readonly price: Price | null;
  readonly limits: BudgetLimits;
}

const configuredPrice = ({ prices }: ModelConfig): Price | null =>
  prices === undefined
    ? null
    : {
        inputUsd: prices.inputUsd,
        outputUsd: prices.outputUsd,
        cachedInputUsd: prices.cachedInputUsd ?? prices.inputUsd,
        cacheWriteUsd: prices.cacheWriteUsd ?? prices.inputUsd,
      };

/** Null: no model is configured, which is a choice. */
export const modelSettings = (config: ModelConfig): ModelSettings | null => {
  const { provider, name, timeouts } = config;
  if (provider === 'none') return null;
  const baseUrl = config.baseUrl ?? BASE_URLS[provider];
  // The schema asks for both.
  if (name === undefined || baseUrl === null) throw new TypeError(`a model of ${provider} without name or baseUrl`);
  const known = knownModel(provider, name);
  return {
    provider,
    name,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey: config.apiKey,
    apiKeyFile: config.apiKeyFile,
    tls: { caFile: config.caFile, fingerprint: config.fingerprint },
    timeouts: { firstTokenMs: timeouts.firstToken, idleMs: timeouts.idle, totalMs: timeouts.total },
    replaceNames: config.replaceNames,
    contextTokens: config.contextTokens ?? known?.contextTokens ?? DEFAULT_CONTEXT_TOKENS,
    price: configuredPrice(config) ?? known?.price ?? null,
    limits: config.budget,
  };
};
