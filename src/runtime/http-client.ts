/** The HTTP client of every source: one origin, HTTP/1.1 with keep-alive, limits with names, failures as data. */
import pLimit from 'p-limit';
import { PatroldError } from './errors.ts';
import { TargetAgent } from './http-agent.ts';
import { exchange, type HttpResponse } from './http-exchange.ts';
import { type HttpFailure, type HttpResult, httpFailure } from './http-failure.ts';
import { type HttpLimits, httpDefaultLimits } from './http-limits.ts';
import { type ConnectTarget, normalizeFingerprint, pinsOf, type TlsOptions } from './http-tls.ts';
import { redactSecrets } from './redact-secrets.ts';
import type { Secret } from './secret.ts';
import { cleanText } from './text.ts';

export type { HttpResponse } from './http-exchange.ts';

export type HttpAuth =
  | { readonly kind: 'bearer'; readonly token: Secret }
  | { readonly kind: 'basic'; readonly username: string; readonly password: Secret }
  /** A whole `Authorization` value, for schemes of its own such as Proxmox's. */
  | { readonly kind: 'raw'; readonly value: Secret };

export interface HttpClientOptions {
  /** `http://host:port/prefix` or https; without user info. With a `socketPath` only its path prefix and host header count. */
  readonly baseUrl: string;
  readonly socketPath?: string | undefined;
  readonly tls?: TlsOptions | undefined;
  readonly auth?: HttpAuth | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
  readonly maxConnections?: number | undefined;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL's path; may have a query of its own. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpClient {
  /** Scheme, host and port, or the socket's path: what may be shown to people. */
  readonly origin: string;
  /** Never rejects. */
  request(request: HttpRequest): Promise<HttpResult<HttpResponse>>;
  /** As `request`, for answers that must be 2xx and JSON; the value still has to be checked by a schema. Never rejects. */
  requestJson(request: HttpRequest): Promise<HttpResult<unknown>>;
  /** The JSON of an answer that must be 2xx, or why it is of no use. */
  readJson(response: HttpResponse): HttpResult<unknown>;
  close(): void;
}

const MAX_CONNECTIONS = 4;

const targetOf = (options: HttpClientOptions, url: URL): ConnectTarget => {
  const secure = url.protocol === 'https:';
  return {
    origin: options.socketPath === undefined ? url.origin : `unix:${options.socketPath}`,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    socketPath: options.socketPath ?? null,
    tls: options.tls ?? {},
  };
};

/** The base URL, checked. Throws `http_client_invalid`, without the URL where it may hold a password. */
const parseBaseUrl = (options: HttpClientOptions): URL => {
  const url = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new PatroldError('http_client_invalid', 'not an http or https URL: write it as http://host:port');
  }
  if (url.username !== '' || url.password !== '') {
    throw new PatroldError(
      'http_client_invalid',
      `the URL of ${url.host} holds a user or password: use username and passwordFile instead`,
    );
  }
  if (pinsOf(options.tls ?? {}).some((pin) => normalizeFingerprint(pin) === null)) {
    throw new PatroldError(
      'http_client_invalid',
      `the fingerprint for ${url.host} is no SHA-256: 64 hex digits, colons allowed`,
    );
  }
  if (options.auth !== undefined && options.tls?.verify === 'report') {
    throw new PatroldError(
      'http_client_invalid',
      `credentials for ${url.host} would go to a server that nobody verified`,
    );
  }
  return url;
};

const authorization = (auth: HttpAuth | undefined): Record<string, string> => {
  switch (auth?.kind) {
    case undefined:
      return {};
    case 'bearer':
      return { authorization: `Bearer ${auth.token.reveal()}` };
    case 'basic':
      return { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password.reveal()}`).toString('base64')}` };
    case 'raw':
      return { authorization: auth.value.reveal() };
  }
};

const pathOf = (url: URL, request: HttpRequest): string => {
  const path = `${url.pathname.replace(/\/$/, '')}/${request.path.replace(/^\//, '')}`;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {}))
    if (value !== undefined) query.append(name, String(value));
  return query.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`;
};

/** How long an answer of a failed request may be quoted: enough for a reason, too short for a page. */
const QUOTED_CHARACTERS = 200;

/** A plain-text answer often says why; a page of HTML does not. */
const quoted = (body: Buffer): string => {
  const text = redactSecrets(cleanText(body.subarray(0, 8 * QUOTED_CHARACTERS).toString('utf8'), QUOTED_CHARACTERS));
  return text === '' || text.startsWith('<') ? '' : `: ${text}`;
};

/** Why an answer with this status is not the one that was asked for; null for 2xx. */
const statusFailure = (origin: string, response: HttpResponse): HttpFailure | null => {
  const { status } = response;
  if (status >= 200 && status < 300) return null;
  if (status === 401)
    return httpFailure(
      'http_not_permitted',
      `${origin} does not accept these credentials (401): check user, password or token`,
      status,
    );
  if (status === 403)
    return httpFailure(
      'http_not_permitted',
      `${origin} refuses these credentials this read (403): give them the right to it`,
      status,
    );
  if (status >= 300 && status < 400) {
    const location = response.headers.location;
    const to =
      location !== undefined && URL.canParse(location, origin) ? new URL(location, origin).origin : 'elsewhere';
    return httpFailure(
      'http_redirected',
      `${origin} redirects to ${to} (${status}), which is not followed: put the final address into the config`,
      status,
    );
  }
  return httpFailure('http_status', `${origin} answered with status ${status}${quoted(response.body)}`, status);
};

const parseJson = (origin: string, response: HttpResponse): HttpResult<unknown> => {
  const failure = statusFailure(origin, response);
  if (failure !== null) return { ok: false, failure };
  try {
    return { ok: true, value: JSON.parse(response.body.toString('utf8')) };
  } catch {
    const type = response.headers['content-type'] ?? 'no content type';
    const reason = `${origin} answered what is not JSON (${cleanText(type, 60)}, ${response.body.length} bytes): is this the right address?`;
    return { ok: false, failure: httpFailure('http_malformed', reason, response.status) };
  }
};

/** Throws `http_client_invalid` on options that can't work; everything that happens later is a result. */
export const createHttpClient = (options: HttpClientOptions): HttpClient => {
  const url = parseBaseUrl(options);
  const target = targetOf(options, url);
  const limits = { ...httpDefaultLimits, ...options.limits };
  const agent = new TargetAgent(target, limits.connectMs);
  // The agent's own limit counts only connections that are open already, and these open asynchronously.
  const inTurn = pLimit(options.maxConnections ?? MAX_CONNECTIONS);
  const request = async (asked: HttpRequest): Promise<HttpResult<HttpResponse>> => {
    const call = {
      target,
      agent,
      method: asked.method ?? 'GET',
      path: pathOf(url, asked),
      body: asked.body ?? null,
      headers: {
        host: url.host,
        accept: 'application/json, */*;q=0.5',
        'accept-encoding': 'gzip, deflate',
        ...options.headers,
        ...authorization(options.auth),
        ...asked.headers,
      },
      signal: asked.signal,
      limits: { ...limits, ...asked.limits },
    };
    const first = await inTurn(exchange, call);
    // A kept connection may have been closed by the server in the very moment it was used again: that says nothing.
    return first.retriable ? (await inTurn(exchange, call)).result : first.result;
  };
  return {
    origin: target.origin,
    request,
    requestJson: async (asked) => {
      const result = await request(asked);
      return result.ok ? parseJson(target.origin, result.value) : result;
    },
    readJson: (response) => parseJson(target.origin, response),
    close: () => agent.destroy(),
  };
};
