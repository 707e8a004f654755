import { readGoogleList } from './model-list.ts';
import type { Provider } from './provider.ts';

/** Caches the beginning of long prompts unasked. */
export const google: Provider = {
  type: 'google',
  load: async ({ baseUrl, apiKey, name, fetch }) => {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch }).languageModel(name);
  },
  list: {
    path: '/models?pageSize=1000',
    headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
    read: readGoogleList,
  },
};
