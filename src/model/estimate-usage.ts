/** Tokens counted from texts, for turns whose provider did not say: it never answered, was cut off, or doesn't count. */
import type { ModelRequest, Usage } from './model.ts';

/**
 * UTF-8 bytes that a token covers at least, on average, in what is sent: English prose has about 4.4 with o200k,
 * compact JSON with ids and numbers about 3. The lower one is taken, so that an estimate is rather too high.
 */
const BYTES_PER_TOKEN = 3;

/** What a chat template writes around each message: 5 to 10 with llama.cpp and its usual templates, 3 to 4 with OpenAI. */
const TOKENS_PER_MESSAGE = 8;

export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** As if everything had been sent, nothing cached, and `answered` had come back. */
export const estimateUsage = (request: ModelRequest, answered: string): Usage => ({
  inputTokens:
    estimateTokens(request.system) +
    estimateTokens(JSON.stringify(request.tools)) +
    estimateTokens(JSON.stringify(request.messages)) +
    TOKENS_PER_MESSAGE * (1 + request.messages.length),
  outputTokens: estimateTokens(answered),
  cachedInputTokens: 0,
  estimated: true,
});
