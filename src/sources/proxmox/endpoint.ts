/** One endpoint of a Proxmox API over HTTPS. */
import { createHttpClient, type HttpClient } from '../../runtime/http-client.ts';
import type { HttpFailure, HttpResult } from '../../runtime/http-failure.ts';
import type { HttpLimits } from '../../runtime/http-limits.ts';
import type { TlsOptions } from '../../runtime/http-tls.ts';
import { proxmoxLimits } from './proxmox-limits.ts';
import type { ProxmoxAnswer, ProxmoxRequest } from './proxmox-transport.ts';

const API_PREFIX = '/api2/json';

export interface Endpoint {
  readonly origin: string;
  get(request: ProxmoxRequest, headers: Headers, signal: AbortSignal): Promise<HttpResult<ProxmoxAnswer>>;
  /** The one POST there is: it gets a ticket and changes nothing. */
  login(form: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HttpResult<ProxmoxAnswer>>;
  close(): void;
}

type Headers = Readonly<Record<string, string>>;

export interface EndpointOptions {
  readonly url: string;
  readonly tls: TlsOptions;
  readonly limits?: Partial<HttpLimits> | undefined;
}

const SLOW_LIMITS: Partial<HttpLimits> = {
  firstByteMs: proxmoxLimits.slowQuestionMs,
  totalMs: proxmoxLimits.slowQuestionMs + 30_000,
};

/** Throws `http_client_invalid` on an address that can't work. */
export const createEndpoint = ({ url, tls, limits }: EndpointOptions): Endpoint => {
  const client: HttpClient = createHttpClient({
    baseUrl: url,
    tls,
    maxConnections: proxmoxLimits.questionsAtOnce,
    limits: {
      totalMs: proxmoxLimits.questionMs + 10_000,
      firstByteMs: proxmoxLimits.questionMs,
      maxBodyBytes: proxmoxLimits.answerBytes,
      ...limits,
    },
  });
  const answerOf = (result: Awaited<ReturnType<HttpClient['request']>>): HttpResult<ProxmoxAnswer> => {
    if (!result.ok) return result;
    const { status, reasonPhrase, body } = result.value;
    return { ok: true, value: { status, reasonPhrase, body: body.toString('utf8') } };
  };
  return {
    origin: client.origin,
    get: async ({ path, params, isSlow = false }, headers, signal) =>
      answerOf(
        await client.request({
          path: `${API_PREFIX}${path}`,
          query: params,
          headers,
          signal,
          ...(isSlow ? { limits: SLOW_LIMITS } : {}),
        }),
      ),
    login: async (form, signal) =>
      answerOf(
        await client.request({
          method: 'POST',
          path: `${API_PREFIX}/access/ticket`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(form).toString(),
          signal,
        }),
      ),
    close: () => client.close(),
  };
};

/**
 * Whether another endpoint of the same cluster may do better. One that can't be connected to, is not trusted or breaks
 * off, surely; one that accepts and then says nothing only where the question is not about another node, whom it had
 * to ask itself.
 */
export const isEndpointsFault = ({ code, errno }: HttpFailure, path: string): boolean => {
  switch (code) {
    case 'http_unreachable':
    case 'http_untrusted':
    case 'http_fingerprint_mismatch':
    case 'http_cut_short':
    case 'http_malformed':
      return true;
    case 'http_timeout':
      return errno === 'ETIMEDOUT' || !path.startsWith('/nodes/');
    default:
      return false;
  }
};

/** What a proxy in front of an endpoint says when that is down. */
export const isGatewayStatus = (status: number): boolean => status === 502 || status === 503 || status === 504;
