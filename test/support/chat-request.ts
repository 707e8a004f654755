/** A request of the OpenAI chat-completions protocol, as strict as the service itself is about it. */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);

const call = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name, arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.strictObject({ type: z.literal('text'), text: z.string() })).min(1)]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    reasoning_content: z.string().optional(),
    tool_calls: z.array(call).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string().min(1), content: z.string() }),
]);

const body = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name,
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal('object') }),
          strict: z.boolean().optional(),
        }),
      }),
    )
    .optional(),
  tool_choice: z.unknown().optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  max_tokens: z.int().positive().optional(),
});

export type ChatMessage = z.output<typeof message>;

export interface ChatTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

/** What a script is asked. */
export interface ChatRequest {
  /** How many chat requests this server had before. */
  readonly index: number;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly maxTokens: number | null;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came, for tests of what leaves. */
  readonly text: string;
}

/** Each call is answered exactly once, right after the message that made it; nothing else is answered. */
const unpaired = (messages: readonly ChatMessage[]): string | null => {
  let open = new Set<string>();
  for (const [index, one] of messages.entries()) {
    if (one.role === 'tool') {
      if (!open.delete(one.tool_call_id)) return `messages[${index}] answers no open tool call: ${one.tool_call_id}`;
      continue;
    }
    if (open.size > 0) return `tool calls without an answer before messages[${index}]: ${[...open].join(', ')}`;
    const calls = one.role === 'assistant' ? (one.tool_calls ?? []) : [];
    open = new Set(calls.map(({ id }) => id));
    if (open.size < calls.length) return `messages[${index}] has tool calls that share an id`;
  }
  return open.size > 0 ? `tool calls without an answer: ${[...open].join(', ')}` : null;
};

/** Why the service would answer 400, as text; else the request. */
export const readChatRequest = (text: string, index: number, headers: IncomingHttpHeaders): ChatRequest | string => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'the body is no JSON';
  }
  const parsed = body.safeParse(json);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const { data } = parsed;
  const trouble = unpaired(data.messages);
  if (trouble !== null) return trouble;
  return {
    index,
    model: data.model,
    messages: data.messages,
    tools: (data.tools ?? []).map(({ function: { name: called, description = '', parameters } }) => ({
      name: called,
      description,
      parameters,
    })),
    stream: data.stream === true,
    includeUsage: data.stream_options?.include_usage === true,
    maxTokens: data.max_tokens ?? null,
    headers,
    text,
  };
};

/** The text of a message, however it is written. */
export const textOf = (one: ChatMessage): string => {
  if (one.content === null) return '';
  return typeof one.content === 'string' ? one.content : one.content.map(({ text }) => text).join('');
};
