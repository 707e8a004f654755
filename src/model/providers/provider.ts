/** What differs from provider to provider. */
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ModelList } from './model-list.ts';

export type ProviderType = 'anthropic' | 'openai' | 'google' | 'openai-compatible';

export interface ProviderSettings {
  readonly baseUrl: string;
  /** Null: the server asks for none. */
  readonly apiKey: string | null;
  /** The model's name, as the provider knows it. */
  readonly name: string;
  readonly fetch: typeof globalThis.fetch;
}

export type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>;

export interface Provider {
  readonly type: ProviderType;
  /** Loads the provider's package, which costs 25 MB and is done when a model is first asked. */
  load(settings: ProviderSettings): Promise<LanguageModelV4>;
  /** Sent along with every request. */
  readonly options?: ProviderOptions;
  /** Marks a message up to which the provider shall cache the prompt; absent where it does so unasked, or never. */
  readonly cacheMark?: ProviderOptions;
  readonly list: ModelList;
}
