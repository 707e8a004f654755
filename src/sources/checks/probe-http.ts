/** An HTTP check: one request, no redirects, on a connection of its own; for https also the certificate. */
import { createHttpClient, type HttpResponse } from '../../runtime/http-client.ts';
import type { HttpFailure, HttpFailureCode, HttpResult } from '../../runtime/http-failure.ts';
import type { TlsOptions } from '../../runtime/http-tls.ts';
import { certificateOf, certificateOfConnection } from './certificate-outcome.ts';
import type { HttpCheck } from './check.ts';
import { connect } from './connect.ts';
import { wrongWith } from './expected-answer.ts';
import {
  answered,
  type CertificateOutcome,
  type CheckOutcome,
  notAnswered,
  outcomeOf,
  type ProbeOutcome,
} from './outcome.ts';

/** Enough for a page that says how it is; of a larger answer only the status counts. */
const MAX_BODY_BYTES = 1_048_576;

export const probeHttp = async (check: HttpCheck, nowMs: number, signal: AbortSignal): Promise<CheckOutcome> => {
  const result = await ask(check, signal);
  const secure = check.url.protocol === 'https:';
  return {
    probe: result.ok ? judge(check, result.value) : judgeFailure(check, result.failure),
    certificate: secure ? await certificate(check, result, nowMs, signal) : null,
  };
};

const hasHeaders = (check: HttpCheck): boolean => Object.keys(check.headers).length > 0;

/**
 * Without headers of the operator's, a bad certificate is one thing and the answer another: both are told. Headers may
 * hold secrets, and go only to a server that proved who it is.
 */
const tlsOf = (check: HttpCheck): TlsOptions => {
  const { caFile, fingerprint, insecure } = check.trust;
  return hasHeaders(check) && !insecure ? { caFile, fingerprint, verify: 'require' } : { caFile, verify: 'report' };
};

const ask = async (check: HttpCheck, signal: AbortSignal): Promise<HttpResult<HttpResponse>> => {
  const { url, method, headers, timeoutMs } = check;
  const client = createHttpClient({
    baseUrl: url.origin,
    tls: tlsOf(check),
    limits: {
      connectMs: timeoutMs,
      firstByteMs: timeoutMs,
      idleMs: timeoutMs,
      totalMs: timeoutMs,
      maxBodyBytes: MAX_BODY_BYTES,
    },
    maxConnections: 1,
  });
  try {
    const plain = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.reveal()]);
    return await client.request({
      method,
      path: `${url.pathname}${url.search}`,
      headers: { accept: '*/*', 'user-agent': 'patrold', ...Object.fromEntries(plain) },
      signal,
    });
  } finally {
    client.close();
  }
};

const judge = (check: HttpCheck, { status, headers, body, latencyMs }: HttpResponse): ProbeOutcome => {
  const wrong = wrongWith(check, { status, location: headers.location, body });
  return wrong === null ? answered(latencyMs) : notAnswered(wrong);
};

const judgeFailure = (check: HttpCheck, failure: HttpFailure): ProbeOutcome => {
  if (failure.code === 'http_timeout') return notAnswered(timeoutReason(check, failure.status));
  if (failure.code !== 'http_too_large' || failure.status === null) return outcomeOf(failure);
  const wrong = wrongWith(check, { status: failure.status, location: undefined, body: null });
  return wrong === null ? answered(null) : notAnswered(wrong);
};

const timeoutReason = ({ url, timeoutMs }: HttpCheck, status: number | null): string =>
  status === null
    ? `${url.origin} did not answer within ${timeoutMs} ms`
    : `${url.origin} began to answer with status ${status}, but did not finish within ${timeoutMs} ms`;

/** After these no second connection would show more. */
const NOT_CONNECTED: ReadonlySet<HttpFailureCode> = new Set(['http_unreachable', 'http_tls_files', 'http_aborted']);

const certificate = async (
  check: HttpCheck,
  result: HttpResult<HttpResponse>,
  nowMs: number,
  signal: AbortSignal,
): Promise<CertificateOutcome> => {
  const { url, trust, timeoutMs } = check;
  const { origin } = url;
  if (result.ok) return certificateOf(result.value.peer, trust, nowMs, origin);
  if (NOT_CONNECTED.has(result.failure.code))
    return certificateOfConnection({ ok: false, failure: result.failure }, trust, nowMs, origin);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? 443 : Number(url.port);
  return certificateOfConnection(
    await connect({ origin, host, port, secure: true, trust, timeoutMs }, signal),
    trust,
    nowMs,
    origin,
  );
};
