/** Applies one change to every text of a request that came from outside the program. */
import type { ModelMessage, ModelRequest, ToolCall } from './model.ts';

export type MapText = (text: string) => string;

/** Strings of a JSON value, keys included: a model writes both. */
export const mapJsonTexts = (value: unknown, map: MapText): unknown => {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapJsonTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapJsonTexts(item, map)]));
};

/** Ids and names of tools stay: they are the program's own, or name nothing. */
export const mapCallTexts = (call: ToolCall, map: MapText): ToolCall => ({
  ...call,
  arguments: mapJsonTexts(call.arguments, map),
  ...(call.malformed === undefined ? {} : { malformed: map(call.malformed) }),
});

const mapMessage = (message: ModelMessage, map: MapText): ModelMessage => {
  switch (message.role) {
    case 'user':
      return { ...message, text: map(message.text) };
    case 'assistant':
      return {
        ...message,
        text: map(message.text),
        toolCalls: message.toolCalls.map((call) => mapCallTexts(call, map)),
      };
    case 'tool':
      return { ...message, replies: message.replies.map((reply) => ({ ...reply, text: map(reply.text) })) };
  }
};

/** The tools themselves are the program's own text. */
export const mapRequestTexts = (request: ModelRequest, map: MapText): ModelRequest => ({
  ...request,
  system: map(request.system),
  messages: request.messages.map((message) => mapMessage(message, map)),
});
