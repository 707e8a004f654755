/** From whatever went wrong on the way to a provider and back to a failure that has a kind and words. */
import { classifyHttpError, HttpFailureError } from '../runtime/http-failure.ts';
import { AnswerCutOff } from './hear-answer.ts';
import { ModelFailure, type ModelFailureKind } from './model-failure.ts';
import { causesOf, type ProviderError, readProviderError } from './provider-error.ts';
import { retryAfterOf } from './retry-after.ts';

export interface FailureContext {
  /** Scheme, host and port of the provider. */
  readonly origin: string;
  readonly model: string;
  /** The head of an answer had arrived. */
  readonly started: boolean;
  /** Something of an answer had been heard. */
  readonly heard: boolean;
  readonly nowMs: number;
}

/** In the words of OpenAI, Anthropic, Google, llama.cpp, vLLM, Ollama and OpenRouter. */
const CONTEXT_EXCEEDED =
  /context_length_exceeded|exceed_context_size|maximum context length|context (?:size|window|length)|prompt is too long|input is too long|input token count.{0,40}exceeds|too many (?:input )?tokens|reduce the length/i;
const NO_CREDIT =
  /insufficient_quota|insufficient[ _](?:balance|credits?|funds)|credit balance|billing|exceeded your current quota/i;
const NO_SUCH_MODEL =
  /model_not_found|not_found_error|model\W.{0,120}(?:not found|does not exist|is not (?:found|available))|not a valid model|unknown model|no such model|models?\/\S{1,120} is not found/i;
const RATE_LIMITED = /rate[_ ]?limit|too many requests|resource_exhausted|quota exceeded/i;
const OVERLOADED = /overloaded|unavailable|capacity|try again later|server_error|internal error|loading model/i;
const REFUSED_KEY = /invalid[_ ]api[_ ]key|api[_ ]key not valid|authentication_error|permission_denied/i;

const byText = ({ code, body }: ProviderError): ModelFailureKind | null => {
  const text = `${code} ${body}`;
  if (CONTEXT_EXCEEDED.test(text)) return 'context_exceeded';
  if (NO_CREDIT.test(text)) return 'refused';
  if (RATE_LIMITED.test(text)) return 'rate_limited';
  if (REFUSED_KEY.test(text)) return 'unauthorised';
  if (NO_SUCH_MODEL.test(text)) return 'model_not_found';
  return OVERLOADED.test(text) ? 'overloaded' : null;
};

const byStatus = (error: ProviderError, status: number): ModelFailureKind => {
  const text = `${error.code} ${error.body}`;
  if (status === 401 || status === 403) return 'unauthorised';
  if (status === 402) return 'refused';
  if (status === 404) return NO_SUCH_MODEL.test(text) ? 'model_not_found' : 'bad_answer';
  if (status === 413) return 'context_exceeded';
  if (status === 429) return NO_CREDIT.test(text) ? 'refused' : 'rate_limited';
  if (status === 408 || status === 409) return 'overloaded';
  // llama.cpp answered a prompt that is too long with 500 for years.
  if (status >= 500) return CONTEXT_EXCEEDED.test(text) ? 'context_exceeded' : 'overloaded';
  if (status >= 400) return byText(error) ?? 'refused';
  return 'bad_answer';
};

const PHRASES: Readonly<Record<ModelFailureKind, string>> = {
  unreachable: 'broke off inside its answer',
  timed_out: 'took too long',
  rate_limited: 'takes no more requests for now',
  overloaded: 'has trouble of its own',
  unauthorised: 'does not accept the API key, or the key may not use this',
  model_not_found: 'has no such model',
  context_exceeded: 'says that the request does not fit into the context of the model',
  refused: 'did not accept the request',
  bad_answer: 'answered what is no answer of a model',
  circuit_open: 'is left alone for now',
  out_of_budget: 'was not asked',
  cancelled: 'was not waited for any longer',
};

const WRONG_ADDRESS = 'is model.baseUrl right, with `/v1` where the server has it?';

const hintOf = (status: number | null): string => {
  if (status === 404) return WRONG_ADDRESS;
  return status !== null && status >= 300 && status < 400
    ? 'a redirect is not followed: put the final address into model.baseUrl'
    : '';
};

const describe = (kind: ModelFailureKind, error: ProviderError, { origin, model }: FailureContext): string => {
  const status = error.status === null ? '' : ` (${error.status})`;
  const subject = kind === 'model_not_found' ? `${origin} has no model "${model}"` : `${origin} ${PHRASES[kind]}`;
  const hint = kind === 'bad_answer' ? hintOf(error.status) : '';
  return [`${subject}${status}`, error.reason, hint].filter((text) => text !== '').join(': ');
};

/** Of the transport: never an answer, or one that broke off. */
const transportFailure = (error: unknown, { origin, started }: FailureContext): ModelFailure | null => {
  for (const cause of causesOf(error)) {
    const isOurs = cause instanceof HttpFailureError;
    const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
    if (!isOurs && typeof code !== 'string') continue;
    const failure = classifyHttpError(cause, origin, started);
    const kind =
      failure.code === 'http_timeout' ? 'timed_out' : failure.code === 'http_too_large' ? 'bad_answer' : 'unreachable';
    return new ModelFailure(kind, failure.reason, { cause, details: { transport: failure.code } });
  }
  return null;
};

/**
 * Errors of a provider do not become the cause: their messages, which a log prints, quote what was sent, and sometimes
 * the key. What they say is in the message here, redacted; what the transport says is kept.
 */
export const classifyFailure = (error: unknown, context: FailureContext): ModelFailure => {
  if (error instanceof ModelFailure) return error;
  const read = readProviderError(error);
  if (read.status === null || (read.status >= 200 && read.status < 300)) {
    const transport = transportFailure(error, context);
    if (transport !== null) return transport;
    if (error instanceof AnswerCutOff || /without a finish reason/.test(read.reason)) {
      const [kind, hint] = context.heard
        ? (['unreachable', ''] as const)
        : (['bad_answer', `: ${WRONG_ADDRESS}`] as const);
      return new ModelFailure(kind, `${context.origin} ${PHRASES[kind]}${hint}`);
    }
    const kind = byText(read) ?? 'bad_answer';
    return new ModelFailure(kind, describe(kind, read, context));
  }
  const kind = byStatus(read, read.status);
  const retryAfterMs = retryAfterOf(read, context.nowMs);
  return new ModelFailure(kind, describe(kind, read, context), {
    details: { status: read.status },
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
};
