/** A scripted server that speaks the OpenAI chat-completions protocol over real HTTP, streaming included. */
import type http from 'node:http';
import { answerChat, type ChatScript, countTokens } from './chat-answer.ts';
import { type ChatRequest, readChatRequest } from './chat-request.ts';
import { startScriptedServer } from './scripted-server.ts';

export interface ChatServerOptions {
  /** The only key that is accepted; without it none is asked for. */
  readonly apiKey?: string;
  /** Names that it has, with what its list says of each; without them every name is served. */
  readonly models?: Readonly<Record<string, object>>;
  /** What a request has to fit into. */
  readonly contextTokens?: number;
  /** As Ollama does: what does not fit is dropped, nothing is said, and fewer tokens are counted. */
  readonly truncates?: boolean;
  /** Further GET paths with their JSON, such as llama.cpp's `/props`. */
  readonly documents?: Readonly<Record<string, object>>;
}

export interface ChatServer {
  /** With `/v1`, as `model.baseUrl` wants it. */
  readonly baseUrl: string;
  /** Chat requests that were well-formed, in order. */
  readonly requests: readonly ChatRequest[];
  /** Why others were answered 400: a defect of the client, unless a test provokes it. */
  readonly refusals: readonly string[];
  readonly connections: () => number;
  /** What it answers from now on. */
  play(script: ChatScript): void;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;

const bodyOf = async (request: http.IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BODY_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const reply = (response: http.ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const fail = (response: http.ServerResponse, status: number, code: string, message: string): void =>
  reply(response, status, { error: { message, type: 'invalid_request_error', param: null, code } });

/** Starts on an ephemeral port of loopback; `script` is asked once for each chat request. */
export const startChatServer = async (script: ChatScript, options: ChatServerOptions = {}): Promise<ChatServer> => {
  const requests: ChatRequest[] = [];
  const refusals: string[] = [];
  let playing = script;

  const list = (response: http.ServerResponse): void => {
    const data = Object.entries(options.models ?? {}).map(([id, facts]) => ({ id, object: 'model', ...facts }));
    reply(response, 200, { object: 'list', data });
  };

  const chat = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const read = readChatRequest(await bodyOf(request), requests.length, request.headers);
    if (typeof read === 'string') {
      refusals.push(read);
      return fail(response, 400, 'invalid_request', read);
    }
    requests.push(read);
    if (options.models !== undefined && !(read.model in options.models))
      return fail(response, 404, 'model_not_found', `The model \`${read.model}\` does not exist`);
    const { contextTokens = Number.POSITIVE_INFINITY } = options;
    const tokens = countTokens(read.text);
    if (tokens <= contextTokens) return answerChat(read, response, playing);
    if (options.truncates !== true) {
      const message = `This model's maximum context length is ${contextTokens} tokens, your messages have ${tokens}.`;
      return fail(response, 400, 'context_length_exceeded', message);
    }
    const answer = playing;
    await answerChat(read, response, async function* () {
      yield* answer(read);
      yield { kind: 'usage', usage: { prompt_tokens: contextTokens, completion_tokens: 1 } };
    });
  };

  const server = await startScriptedServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const document = options.documents?.[path];
    const authorised = options.apiKey === undefined || request.headers.authorization === `Bearer ${options.apiKey}`;
    if (!authorised) return fail(response, 401, 'invalid_api_key', 'Incorrect API key provided');
    if (request.method === 'GET' && document !== undefined) return reply(response, 200, document);
    if (request.method === 'GET' && path === '/v1/models') return list(response);
    if (request.method !== 'POST' || path !== '/v1/chat/completions')
      return fail(response, 404, 'unknown_url', `Unknown request URL: ${request.method} ${path}`);
    chat(request, response).catch((error: unknown) => {
      refusals.push(String(error));
      response.destroy();
    });
  });

  return {
    baseUrl: `${server.url}/v1`,
    requests,
    refusals,
    connections: server.connections,
    play: (next) => {
      playing = next;
    },
    close: server.close,
  };
};
