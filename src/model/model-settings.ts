/** What the config says of a model, with what follows from it filled in. */
import type { ModelConfig } from '../config/model.ts';
import type { KeySource } from './api-key.ts';
import type { ModelTimeouts } from './time-limits.ts';

/** The addresses that the providers publish; a proxy goes into `model.baseUrl`. */
const BASE_URLS = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  'openai-compatible': null,
} as const;

export type ProviderType = keyof typeof BASE_URLS;

export interface ModelSettings extends KeySource {
  readonly provider: ProviderType;
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly tls: { readonly caFile?: string | undefined; readonly fingerprint?: string | undefined };
  readonly timeouts: ModelTimeouts;
  readonly replaceNames: boolean;
}

/** Null: no model is configured, which is a choice. */
export const modelSettings = (config: ModelConfig): ModelSettings | null => {
  const { provider, name, timeouts } = config;
  if (provider === 'none') return null;
  const baseUrl = config.baseUrl ?? BASE_URLS[provider];
  // The schema asks for both.
  if (name === undefined || baseUrl === null) throw new TypeError(`a model of ${provider} without name or baseUrl`);
  return {
    provider,
    name,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey: config.apiKey,
    apiKeyFile: config.apiKeyFile,
    tls: { caFile: config.caFile, fingerprint: config.fingerprint },
    timeouts: { firstTokenMs: timeouts.firstToken, idleMs: timeouts.idle, totalMs: timeouts.total },
    replaceNames: config.replaceNames,
  };
};
