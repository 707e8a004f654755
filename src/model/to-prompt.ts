/** From the port's request to what the SDK's providers take. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ModelMessage, ModelRequest, ToolCall } from './model.ts';
import { readOpaque } from './opaque.ts';
import type { Provider } from './providers/provider.ts';

type AssistantContent = Extract<LanguageModelV4Message, { readonly role: 'assistant' }>['content'];

/** Some providers refuse messages without content, and roles that do not take turns. */
const NOTHING_SAID = '(no answer)';

/** What services accept as the name of a function; a model may have written anything. */
const callableName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';

/** Arguments that were no JSON object can't be sent back as if they were; the reply says what was wrong with them. */
const sentArguments = ({ arguments: input, malformed }: ToolCall): object =>
  malformed === undefined && typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};

const assistantContent = (
  message: Extract<ModelMessage, { readonly role: 'assistant' }>,
  provider: string,
  name: string,
): AssistantContent => {
  const opaque = readOpaque(message.opaque, provider, name);
  const content: AssistantContent = [];
  for (const { text, options } of opaque?.thoughts ?? [])
    content.push({ type: 'reasoning', text, ...(options === undefined ? {} : { providerOptions: options }) });
  if (message.text !== '') {
    const options = opaque?.text;
    content.push({ type: 'text', text: message.text, ...(options === undefined ? {} : { providerOptions: options }) });
  }
  for (const call of message.toolCalls) {
    const options = opaque?.calls[call.id];
    content.push({
      type: 'tool-call',
      toolCallId: call.id,
      toolName: callableName(call.name),
      input: sentArguments(call),
      ...(options === undefined ? {} : { providerOptions: options }),
    });
  }
  return content.some(({ type }) => type !== 'reasoning')
    ? content
    : [...content, { type: 'text', text: NOTHING_SAID }];
};

const toMessage = (message: ModelMessage, provider: string, name: string): LanguageModelV4Message => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant':
      return { role: 'assistant', content: assistantContent(message, provider, name) };
    case 'tool':
      return {
        role: 'tool',
        content: message.replies.map((reply) => ({
          type: 'tool-result',
          toolCallId: reply.callId,
          toolName: callableName(reply.name),
          output: { type: reply.isError ? 'error-text' : 'text', value: reply.text },
        })),
      };
  }
};

/** Tools and system text never change within a run; what came last is where the next turn goes on from. */
const withCacheMarks = (prompt: LanguageModelV4Prompt, mark: Provider['cacheMark']): LanguageModelV4Prompt =>
  mark === undefined
    ? prompt
    : prompt.map((message, index) =>
        index === 0 || index === prompt.length - 1 ? { ...message, providerOptions: mark } : message,
      );

export const toCallOptions = (
  request: ModelRequest,
  { type, options, cacheMark }: Provider,
  name: string,
): LanguageModelV4CallOptions => {
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: request.system },
    ...request.messages.map((message) => toMessage(message, type, name)),
  ];
  return {
    prompt: withCacheMarks(prompt, cacheMark),
    maxOutputTokens: request.maxOutputTokens,
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map((tool) => ({
            type: 'function' as const,
            name: tool.name,
            description: tool.description,
            // The port's promise is a JSON schema; the SDK's type is one of its drafts.
            inputSchema: tool.inputSchema as { readonly type: 'object' },
          })),
        }),
    ...(options === undefined ? {} : { providerOptions: options }),
  };
};
