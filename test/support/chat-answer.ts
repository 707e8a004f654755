/** What a script says, step by step, and how it looks on the wire: as a stream of events, or as one document. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ChatRequest } from './chat-request.ts';

export interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
}

export type ChatStep =
  /** Streamed in pieces of `pieceLength` characters; all at once without. */
  | { readonly kind: 'text'; readonly text: string; readonly pieceLength?: number }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** A string is sent as it is, so that it need be no JSON. */
  | { readonly kind: 'call'; readonly name: string; readonly arguments: object | string; readonly id?: string }
  /** Holds the answer back until the test lets go, or for real time. */
  | { readonly kind: 'hold'; readonly until: Promise<unknown> }
  | { readonly kind: 'delay'; readonly ms: number }
  /** Answers with this status instead; only as the first step. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: string | object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** An error inside a stream that has begun. */
  | { readonly kind: 'error'; readonly message: string; readonly type?: string }
  /** Bytes of the stream as they are. */
  | { readonly kind: 'raw'; readonly text: string }
  /** The connection ends here; `politely` ends the stream without saying why. */
  | { readonly kind: 'cut'; readonly politely?: boolean }
  /** Instead of `stop` or `tool_calls`. */
  | { readonly kind: 'finish'; readonly reason: string }
  /** Instead of what was counted; null reports none. */
  | { readonly kind: 'usage'; readonly usage: ChatUsage | null };

export type ChatScript = (request: ChatRequest) => Iterable<ChatStep> | AsyncIterable<ChatStep>;

/** Rough, as servers differ anyway: a token for four bytes. */
export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

interface Told {
  text: string;
  reasoning: string;
  readonly calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  reason: string | null;
  usage: ChatUsage | null | undefined;
}

const usageOf = (request: ChatRequest, told: Told): ChatUsage | null =>
  told.usage !== undefined
    ? told.usage
    : {
        prompt_tokens: countTokens(request.text),
        completion_tokens: countTokens(told.text + told.reasoning + JSON.stringify(told.calls)),
      };

const piecesOf = (text: string, length: number | undefined): readonly string[] =>
  length === undefined ? [text] : (text.match(new RegExp(`[^]{1,${length}}`, 'gu')) ?? []);

/** Sends what `script` says to one request. */
export const answerChat = async (request: ChatRequest, response: ServerResponse, script: ChatScript): Promise<void> => {
  const head = { id: `chat-${request.index}`, created: 1_767_225_600, model: request.model };
  const told: Told = { text: '', reasoning: '', calls: [], reason: null, usage: undefined };
  const write = (data: object | string): void => {
    if (!request.stream) return;
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(typeof data === 'string' ? data : `data: ${JSON.stringify(data)}\n\n`);
  };
  const chunk = (delta: object, reason: string | null = null): void =>
    write({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] });

  for await (const step of script(request)) {
    if (response.destroyed) return;
    switch (step.kind) {
      case 'text':
        told.text += step.text;
        for (const content of piecesOf(step.text, step.pieceLength)) chunk({ role: 'assistant', content });
        break;
      case 'reasoning':
        told.reasoning += step.text;
        chunk({ role: 'assistant', reasoning_content: step.text });
        break;
      case 'call': {
        const index = told.calls.length;
        const written = typeof step.arguments === 'string' ? step.arguments : JSON.stringify(step.arguments);
        const id = step.id ?? `call_${request.index}_${index}`;
        told.calls.push({ id, type: 'function', function: { name: step.name, arguments: written } });
        // As services stream it: the name first, the arguments after it.
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name: step.name, arguments: '' } }] });
        chunk({ tool_calls: [{ index, function: { arguments: written } }] });
        break;
      }
      case 'hold':
        await step.until;
        break;
      case 'delay':
        await wait(step.ms);
        break;
      case 'status': {
        const body = step.body ?? { error: { message: `scripted ${step.status}`, type: 'scripted' } };
        response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
        return;
      }
      case 'error':
        write({ error: { message: step.message, type: step.type ?? 'server_error' } });
        break;
      case 'raw':
        write(step.text);
        break;
      case 'cut':
        if (step.politely === true) response.end();
        // What was written still arrives.
        else response.socket?.destroySoon();
        return;
      case 'finish':
        told.reason = step.reason;
        break;
      case 'usage':
        told.usage = step.usage;
        break;
    }
  }
  const reason = told.reason ?? (told.calls.length > 0 ? 'tool_calls' : 'stop');
  const usage = usageOf(request, told);
  if (!request.stream) {
    const message = {
      role: 'assistant',
      content: told.text,
      ...(told.calls.length > 0 ? { tool_calls: told.calls } : {}),
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    const document = {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: reason }],
      usage,
    };
    response.end(JSON.stringify(document));
    return;
  }
  chunk({}, reason);
  if (request.includeUsage && usage !== null) write({ ...head, object: 'chat.completion.chunk', choices: [], usage });
  write('data: [DONE]\n\n');
  response.end();
};
