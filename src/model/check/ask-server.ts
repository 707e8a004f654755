/** Questions to a provider beside its models: what it has, and how much fits. Never rejects for what a server does. */
import { z } from 'zod';
import { createHttpClient, type HttpClient } from '../../runtime/http-client.ts';
import type { HttpFailure } from '../../runtime/http-failure.ts';
import type { ModelSettings } from '../model-settings.ts';
import { providerOf } from '../providers/index.ts';
import type { ListedModel } from '../providers/model-list.ts';

export type Listing =
  | { readonly kind: 'listed'; readonly models: readonly ListedModel[] }
  /** It answers, but has no such list. */
  | { readonly kind: 'no_list' }
  | { readonly kind: 'failed'; readonly failure: HttpFailure };

export interface ServerQuestions {
  list(): Promise<Listing>;
  /** What a local server was started with, where it says so; null elsewhere. */
  loadedContextTokens(name: string): Promise<number | null>;
  close(): void;
}

/** llama.cpp's `GET /props`. */
const props = z.looseObject({ default_generation_settings: z.looseObject({ n_ctx: z.int().positive() }) });
/** Ollama's `GET /api/ps`: models that are loaded, which one is just after it was asked. */
const loaded = z.looseObject({
  models: z.array(
    z.looseObject({ name: z.string(), model: z.string().optional(), context_length: z.int().positive() }),
  ),
});

/** These mean that nobody is there to be asked, or not for us; any other answer is one. */
const NO_ANSWER: ReadonlySet<string> = new Set([
  'http_unreachable',
  'http_timeout',
  'http_untrusted',
  'http_fingerprint_mismatch',
  'http_tls_files',
  'http_not_permitted',
  'http_aborted',
]);

const readJson = async (http: HttpClient, path: string, signal: AbortSignal): Promise<unknown> => {
  const result = await http.requestJson({ path, signal });
  return result.ok ? result.value : null;
};

export const askServer = (settings: ModelSettings, apiKey: string | null, signal: AbortSignal): ServerQuestions => {
  const { list } = providerOf(settings.provider);
  const headers = apiKey === null ? {} : list.headers(apiKey);
  const http = createHttpClient({ baseUrl: settings.baseUrl, tls: settings.tls, headers });
  // These answer beside `/v1`, not below it.
  const beside = createHttpClient({ baseUrl: new URL(settings.baseUrl).origin, tls: settings.tls, headers });
  return {
    list: async () => {
      const result = await http.requestJson({ path: list.path, signal });
      if (result.ok) return { kind: 'listed', models: list.read(result.value) };
      return NO_ANSWER.has(result.failure.code) ? { kind: 'failed', failure: result.failure } : { kind: 'no_list' };
    },
    loadedContextTokens: async (name) => {
      if (settings.provider !== 'openai-compatible') return null;
      const llama = props.safeParse(await readJson(beside, '/props', signal)).data;
      if (llama !== undefined) return llama.default_generation_settings.n_ctx;
      const ollama = loaded.safeParse(await readJson(beside, '/api/ps', signal)).data;
      const wanted = [name, `${name}:latest`];
      const found = ollama?.models.find((one) => wanted.includes(one.name) || wanted.includes(one.model ?? ''));
      return found?.context_length ?? null;
    },
    close: () => {
      http.close();
      beside.close();
    },
  };
};
