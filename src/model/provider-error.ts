/** What an error of the SDK holds that helps to understand it, whatever its class. */
import { z } from 'zod';
import { redactSecrets } from '../runtime/redact-secrets.ts';
import { cleanText } from '../runtime/text.ts';

/** Enough for a reason; longer ones quote the request. */
const QUOTED_CHARACTERS = 200;
/** `cause` chains are short; this ends one that goes round. */
const MAX_CAUSES = 8;

export interface ProviderError {
  /** Null: the error came inside a stream, or before any answer. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The provider's own name of what happened, such as `context_length_exceeded`; empty where it has none. */
  readonly code: string;
  /** One redacted line; empty where it gave none. */
  readonly reason: string;
  /** The whole body, to be searched and never shown. */
  readonly body: string;
}

/** As APICallError of the SDK has them; another error has none of these. */
const callError = z.object({
  statusCode: z.number().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
  responseBody: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});

const inner = z.object({
  message: z.string().optional().catch(undefined),
  code: z.union([z.string(), z.number()]).nullish().catch(undefined),
  type: z.string().nullish().catch(undefined),
  status: z.string().nullish().catch(undefined),
});
/** `{ error: { message, code } }` of most, `{ error: "text" }` of Ollama, `{ detail }` and `{ message }` of proxies. */
const document = z.union([
  z.object({ error: inner }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error })),
  z.object({ detail: z.string() }).transform(({ detail }) => ({ message: detail })),
  inner,
]);

const parse = (body: string): z.output<typeof inner> => {
  try {
    const json: unknown = JSON.parse(body);
    // Google wraps its errors in a list when it streams.
    return document.safeParse(Array.isArray(json) ? json[0] : json).data ?? {};
  } catch {
    return {};
  }
};

const quote = (text: string): string =>
  redactSecrets(cleanText(text.slice(0, 8 * QUOTED_CHARACTERS), QUOTED_CHARACTERS));

/** Of several names the one that is not just a kind of error. */
const codeOf = ({ code, type, status }: z.output<typeof inner>): string =>
  [typeof code === 'string' ? code : null, status, type].filter((name) => name != null && name !== '').join(' ');

export const readProviderError = (error: unknown): ProviderError => {
  const call = callError.safeParse(error).data ?? {};
  const body = call.responseBody ?? '';
  const isPage = body.trimStart().startsWith('<');
  const told = body === '' ? (document.safeParse(error).data ?? {}) : parse(body);
  const text = told.message ?? (isPage ? '' : body) ?? '';
  return {
    status: call.statusCode ?? null,
    headers: call.responseHeaders ?? {},
    code: codeOf(told),
    reason: quote(text === '' && !isPage ? (typeof error === 'string' ? error : (call.message ?? '')) : text),
    body: `${text} ${body}`,
  };
};

/** The error and what it was caused by, outermost first. */
export const causesOf = (error: unknown): readonly unknown[] => {
  const chain: unknown[] = [];
  for (let one: unknown = error; one !== undefined && one !== null && chain.length < MAX_CAUSES; ) {
    chain.push(one);
    one = one instanceof Error ? one.cause : undefined;
  }
  return chain;
};
