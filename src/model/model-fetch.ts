/**
 * The only way from here to a provider: a `fetch` that knows one origin, follows no redirect, uses no proxy of the
 * environment, and trusts what the config says. What it rejects with has words for people.
 */
import http from 'node:http';
import { TargetAgent } from '../runtime/http-agent.ts';
import { HttpFailureError, httpFailure } from '../runtime/http-failure.ts';
import { httpDefaultLimits } from '../runtime/http-limits.ts';
import type { TlsOptions } from '../runtime/http-tls.ts';

/** An answer of a model is text of some thousand tokens; even with its envelope a hundredth of this. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface ModelFetch {
  readonly origin: string;
  readonly fetch: typeof globalThis.fetch;
  close(): void;
}

const targetOf = (url: URL, tls: TlsOptions) => {
  const secure = url.protocol === 'https:';
  return {
    origin: url.origin,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    socketPath: null,
    tls,
  };
};

async function* withinLimit(response: http.IncomingMessage, origin: string): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_ANSWER_BYTES)
      throw new HttpFailureError(
        httpFailure('http_too_large', `${origin} answered more than MAX_ANSWER_BYTES = ${MAX_ANSWER_BYTES} bytes`),
      );
    yield chunk;
  }
}

const headersOf = (response: http.IncomingMessage): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  return headers;
};

/** Statuses that have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

const send = (
  agent: TargetAgent,
  url: URL,
  init: {
    readonly method: string;
    readonly headers: Headers;
    readonly body: string | null;
    readonly signal?: AbortSignal;
  },
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = http.request({
      agent,
      host: url.hostname,
      method: init.method,
      path: `${url.pathname}${url.search}`,
      headers: {
        ...Object.fromEntries(init.headers),
        host: url.host,
        ...(init.body === null ? {} : { 'content-length': String(Buffer.byteLength(init.body)) }),
      },
      ...(init.signal === undefined ? {} : { signal: init.signal }),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 599) {
        response.destroy();
        return reject(
          new HttpFailureError(httpFailure('http_malformed', `${url.origin} answered with status ${status}`)),
        );
      }
      const body = WITHOUT_BODY.has(status) ? null : ReadableStream.from(withinLimit(response, url.origin));
      if (body === null) response.resume();
      resolve(new Response(body, { status, headers: headersOf(response) }));
    });
    request.end(init.body ?? undefined);
  });

/** `baseUrl` was checked by the config's schema. */
export const createModelFetch = (baseUrl: string, tls: TlsOptions): ModelFetch => {
  const { origin } = new URL(baseUrl);
  const agent = new TargetAgent(targetOf(new URL(baseUrl), tls), httpDefaultLimits.connectMs);
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin)
      throw new HttpFailureError(
        httpFailure(
          'http_request_invalid',
          `a request for ${url.origin} was stopped: the config names ${origin} alone`,
        ),
      );
    const { body = null, method = 'GET', signal } = init;
    if (body !== null && typeof body !== 'string') throw new TypeError('a request to a model is text');
    const headers = new Headers(init.headers);
    return send(agent, url, { method, headers, body, ...(signal ? { signal } : {}) });
  };
  return { origin, fetch, close: () => agent.destroy() };
};
