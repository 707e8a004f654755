/** Keeps a conversation inside the model's context: old results make room, the newest stay whole. */
import { estimateTokens } from '../model/estimate-usage.ts';
import type { ModelMessage } from '../model/model.ts';

/** Messages with tool results that stay as they are, newest first. */
export const WHOLE_RESULTS = 2;

/** A result this short is not worth leaving out. */
const SHORT_CHARACTERS = 300;

export interface ContextRoom {
  /** For messages: what system text, tools and the answer leave of the context. */
  readonly tokens: number;
}

const estimate = (message: ModelMessage): number => estimateTokens(JSON.stringify(message));

const withoutResults = (message: Extract<ModelMessage, { readonly role: 'tool' }>): ModelMessage => ({
  role: 'tool',
  replies: message.replies.map((reply) =>
    reply.text.length <= SHORT_CHARACTERS
      ? reply
      : {
          ...reply,
          text: `[result of ${reply.name}, ${reply.text.length} characters, left out to save room; call it again if you need it]`,
        },
  ),
});

/**
 * The same messages, with results left out from the oldest on until the rest fits, or nothing more can be left out.
 * What was left out once stays out: the beginning of a conversation that a provider has cached changes as seldom as can be.
 */
export const fitContext = (messages: readonly ModelMessage[], { tokens }: ContextRoom): readonly ModelMessage[] => {
  const sizes = messages.map(estimate);
  let total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= tokens) return messages;
  const results = messages.flatMap(({ role }, index) => (role === 'tool' ? [index] : []));
  const fitted = [...messages];
  for (const index of results.slice(0, -WHOLE_RESULTS)) {
    if (total <= tokens) break;
    const message = fitted[index];
    if (message?.role !== 'tool') continue;
    const shorter = withoutResults(message);
    total += estimate(shorter) - (sizes[index] ?? 0);
    fitted[index] = shorter;
  }
  return fitted;
};
