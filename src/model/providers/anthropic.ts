import { readOpenaiList } from './model-list.ts';
import type { Provider } from './provider.ts';

export const anthropic: Provider = {
  type: 'anthropic',
  load: async ({ baseUrl, apiKey, name, fetch }) => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch }).languageModel(name);
  },
  // Lives for five minutes from its last use; reading costs a tenth of the input price, writing a quarter more than it.
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  list: {
    path: '/models?limit=1000',
    headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
    read: readOpenaiList,
  },
};
