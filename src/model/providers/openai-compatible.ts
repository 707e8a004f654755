import { bearer, readOpenaiList } from './model-list.ts';
import type { Provider } from './provider.ts';

/** Whatever speaks chat completions: Ollama, llama.cpp, vLLM, OpenRouter, DeepSeek. */
export const openaiCompatible: Provider = {
  type: 'openai-compatible',
  load: async ({ baseUrl, apiKey, name, fetch }) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'compatible',
      baseURL: baseUrl,
      ...(apiKey === null ? {} : { apiKey }),
      fetch,
      // Local servers tell what a streamed answer used only when they are asked to.
      includeUsage: true,
    }).chatModel(name);
  },
  list: { path: '/models', headers: bearer, read: readOpenaiList },
};
