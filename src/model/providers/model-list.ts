/** The models that a provider says it has. */
import { z } from 'zod';

export interface ListedModel {
  readonly name: string;
  /** Null: the provider does not tell. */
  readonly contextTokens: number | null;
}

export interface ModelList {
  readonly path: string;
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** Items of another form are left out. */
  read(answer: unknown): readonly ListedModel[];
}

const tokens = z.number().int().positive().nullish().catch(null);

const itemsOf = <T>(answer: unknown, key: string, item: z.ZodType<T>): readonly T[] => {
  const list = z.looseObject({ [key]: z.array(z.unknown()) }).safeParse(answer).data?.[key];
  return Array.isArray(list) ? list.flatMap((one) => item.safeParse(one).data ?? []) : [];
};

/** OpenAI's form, with the windows as vLLM, OpenRouter, Anthropic, Groq and others add them to it. */
const openaiItem = z
  .looseObject({
    id: z.string().min(1),
    max_model_len: tokens,
    context_length: tokens,
    max_input_tokens: tokens,
    context_window: tokens,
  })
  .transform(({ id, ...told }) => ({
    name: id,
    contextTokens: told.max_model_len ?? told.context_length ?? told.max_input_tokens ?? told.context_window ?? null,
  }));

export const readOpenaiList = (answer: unknown): readonly ListedModel[] => itemsOf(answer, 'data', openaiItem);

const googleItem = z
  .looseObject({ name: z.string().min(1), inputTokenLimit: tokens })
  .transform(({ name, inputTokenLimit }) => ({
    name: name.replace(/^models\//, ''),
    contextTokens: inputTokenLimit ?? null,
  }));

export const readGoogleList = (answer: unknown): readonly ListedModel[] => itemsOf(answer, 'models', googleItem);

export const bearer = (apiKey: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${apiKey}` });
