/** Whether as much fits into a request as patrold believes: servers that drop the rest in silence are the worst. */
import type { Model, ModelRequest, TurnOptions } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import type { ModelSettings } from '../model-settings.ts';
import { type CheckResult, checked } from './check-result.ts';

/** What is sent at most to find out: enough to meet the small windows that local servers start with. */
export const PROBE_MAX_TOKENS = 12_000;
/** Of the window that is believed in; the rest is for the answer, and for counting that differs. */
const PROBE_SHARE = 0.75;
/** Fewer than this share counted: the rest was dropped. Tokenizers differ by less than that. */
const DROPPED_BELOW = 0.7;

const context = checked('context');

const tooSmall = (offered: number, { contextTokens }: ModelSettings): CheckResult =>
  context(
    'failed',
    `the server takes ${offered} tokens, patrold would send up to ${contextTokens}: set model.contextTokens to ${offered}, or start the server with more (llama.cpp --ctx-size, Ollama OLLAMA_CONTEXT_LENGTH, vLLM --max-model-len)`,
  );

/** What the provider or the server says of itself; null: nothing. */
export const checkToldContext = (told: number | null, settings: ModelSettings): CheckResult | null => {
  if (told === null) return null;
  return told < settings.contextTokens
    ? tooSmall(told, settings)
    : context('ok', `${settings.contextTokens} tokens are used, ${told} are offered`);
};

const SENTENCE = 'The keeper climbs the stairs and looks at the sea again. ';

const probe = (tokens: number): ModelRequest => {
  // Of a repeated sentence every tokenizer makes about one token for each word and stop.
  const text = SENTENCE.repeat(Math.ceil(tokens / 12));
  return { system: 'Answer in one word.', messages: [{ role: 'user', text }], tools: [], maxOutputTokens: 16 };
};

/** Sends a long text and compares what the server counted with what it should have. */
export const probeContext = async (
  model: Model,
  settings: ModelSettings,
  options: TurnOptions,
): Promise<CheckResult> => {
  const tokens = Math.floor(Math.min(PROBE_MAX_TOKENS, settings.contextTokens * PROBE_SHARE));
  const request = probe(tokens);
  try {
    const { usage } = await model.turn(request, options);
    if (usage.estimated) return context('unknown', 'the server does not say how many tokens it read');
    return usage.inputTokens < DROPPED_BELOW * tokens
      ? tooSmall(usage.inputTokens, settings)
      : context('ok', `${usage.inputTokens} tokens were read in one request; more than that was not tried`);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    if (error.kind === 'cancelled') throw error;
    if (error.kind === 'context_exceeded')
      return context(
        'failed',
        `${tokens} tokens do not fit: ${error.message}; set model.contextTokens, or start the server with more`,
      );
    return context('unknown', `it could not be tried with ${tokens} tokens: ${error.message}`);
  }
};
