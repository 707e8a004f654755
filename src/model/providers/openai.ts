import { bearer, readOpenaiList } from './model-list.ts';
import type { Provider } from './provider.ts';

/** The Responses API: the one in which reasoning models keep their thoughts between tool calls. */
export const openai: Provider = {
  type: 'openai',
  load: async ({ baseUrl, apiKey, name, fetch }) => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch }).responses(name);
  },
  // By default this API keeps what it was sent for 30 days. Long prompts are cached by their beginning, unasked; the
  // key sends requests that share one to the same machines.
  options: { openai: { store: false, promptCacheKey: 'patrold' } },
  list: { path: '/models', headers: bearer, read: readOpenaiList },
};
