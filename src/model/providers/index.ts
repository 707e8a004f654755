/** Every provider there is. */
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openai } from './openai.ts';
import { openaiCompatible } from './openai-compatible.ts';
import type { Provider, ProviderType } from './provider.ts';

export const providers: readonly Provider[] = [anthropic, openai, google, openaiCompatible];

export const providerOf = (type: ProviderType): Provider => {
  const found = providers.find((provider) => provider.type === type);
  if (found === undefined) throw new TypeError(`no provider ${type}`);
  return found;
};
