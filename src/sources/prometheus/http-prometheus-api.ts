/** Prometheus over HTTP. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { PatroldError } from '../../runtime/errors.ts';
import { createHttpClient, type HttpAuth, type HttpClient } from '../../runtime/http-client.ts';
import type { HttpFailure, HttpFailureCode, HttpResult } from '../../runtime/http-failure.ts';
import { createSecret, type Secret } from '../../runtime/secret.ts';
import { cleanText } from '../../runtime/text.ts';
import { GAP_OF_HTTP } from '../gap-of-http.ts';
import type { Asked, AskFailure, PrometheusApi } from './prometheus-api.ts';
import type { PrometheusConfig } from './prometheus-config.ts';
import { prometheusLimits } from './prometheus-limits.ts';

const BROKEN: ReadonlySet<HttpFailureCode> = new Set([
  'http_unreachable',
  'http_timeout',
  'http_untrusted',
  'http_fingerprint_mismatch',
  'http_tls_files',
  'http_not_permitted',
  'http_redirected',
  'http_request_invalid',
  'http_aborted',
]);

const toAskFailure = ({ code, reason }: HttpFailure): AskFailure => ({
  code: GAP_OF_HTTP[code],
  reason,
  broken: BROKEN.has(code),
});

const secretOf = async (given: Secret | undefined, path: string | undefined): Promise<Secret | null> => {
  if (given !== undefined) return given;
  if (path === undefined) return null;
  try {
    return createSecret((await readFile(path, 'utf8')).trim());
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new PatroldError(
      'source_not_answering',
      `${path} can't be read (${code}): it should hold the password or token for Prometheus`,
      { cause },
    );
  }
};

const authOf = async (config: PrometheusConfig): Promise<HttpAuth | undefined> => {
  const token = await secretOf(config.token, config.tokenFile);
  if (token !== null) return { kind: 'bearer', token };
  const password = await secretOf(config.password, config.passwordFile);
  return password === null ? undefined : { kind: 'basic', username: config.username ?? '', password };
};

const clientFor = async (config: PrometheusConfig): Promise<HttpClient> =>
  createHttpClient({
    baseUrl: config.url,
    tls: { caFile: config.caFile, certFile: config.certFile, keyFile: config.keyFile, fingerprint: config.fingerprint },
    auth: await authOf(config),
    headers: config.headers,
    limits: {
      totalMs: prometheusLimits.questionMs,
      firstByteMs: prometheusLimits.questionMs,
      maxBodyBytes: prometheusLimits.answerBytes,
    },
    maxConnections: prometheusLimits.questionsAtOnce,
  });

/** 400, 422 and 503 carry the envelope with `status: error` and the reason in it (Prometheus' API documentation). */
const ENVELOPE_STATUSES: ReadonlySet<number> = new Set([400, 422, 503]);

const isEnvelope = (value: unknown): boolean => typeof value === 'object' && value !== null && 'status' in value;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

type Query = Readonly<Record<string, string | number | undefined>>;

export const createHttpPrometheusApi = (config: PrometheusConfig): PrometheusApi => {
  let client: Promise<HttpClient> | null = null;
  const drop = (): void => {
    client?.then((open) => open.close()).catch(() => undefined);
    client = null;
  };
  const get = async (path: string, query: Query, signal: AbortSignal): Promise<Asked<unknown>> => {
    let open: HttpClient;
    try {
      client ??= clientFor(config);
      open = await client;
    } catch (error) {
      client = null;
      return {
        ok: false,
        failure: { code: 'failed', reason: error instanceof Error ? error.message : 'no client', broken: true },
      };
    }
    const result = await requestBody(open, path, query, signal);
    if (result.ok) return result;
    // A password or certificate that was renewed on disk is read again the next time.
    if (BROKEN.has(result.failure.code) && result.failure.code !== 'http_aborted') drop();
    return { ok: false, failure: toAskFailure(result.failure) };
  };
  return {
    origin: new URL(config.url).origin,
    serverTimeMs: async (signal) => {
      const body = await get('/api/v1/query', { query: 'time()' }, signal);
      return body.ok ? readServerTime(body.value) : body;
    },
    metricNames: ({ match, fromMs, toMs }, signal) => {
      const matcher = match.length === 0 ? undefined : `{__name__!="",${match.join(',')}}`;
      return get(
        '/api/v1/label/__name__/values',
        { start: fromMs / 1000, end: toMs / 1000, 'match[]': matcher },
        signal,
      );
    },
    ask: ({ promql, atMs, range }, signal) =>
      range === null
        ? get('/api/v1/query', { query: promql, time: atMs / 1000 }, signal)
        : get(
            '/api/v1/query_range',
            { query: promql, start: (atMs - range.spanMs) / 1000, end: atMs / 1000, step: range.stepMs / 1000 },
            signal,
          ),
    targets: (signal) => get('/api/v1/targets', { state: 'active' }, signal),
    close: drop,
  };
};

const requestBody = async (
  client: HttpClient,
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<HttpResult<unknown>> => {
  const response = await client.request({ path, query, signal });
  if (!response.ok) return response;
  if (ENVELOPE_STATUSES.has(response.value.status)) {
    const body = parse(response.value.body.toString('utf8'));
    if (isEnvelope(body)) return { ok: true, value: body };
  }
  return client.readJson(response.value);
};

/** A scalar as Prometheus has it, or the vector of one that other servers make of it. */
const timeBody = z.looseObject({
  data: z.looseObject({
    result: z.union([
      z.tuple([z.number(), z.string()]),
      z.tuple([z.looseObject({ value: z.tuple([z.number(), z.string()]) })]),
    ]),
  }),
});

/** The answer to `time()`, whose value is the instant itself. */
const readServerTime = (body: unknown): Asked<number> => {
  const result = timeBody.safeParse(body).data?.data.result;
  const pair = result?.length === 1 ? result[0].value : result;
  const atMs = Math.round(Number(pair?.[1]) * 1000);
  if (atMs > 0) return { ok: true, value: atMs };
  const said = z.looseObject({ error: z.string() }).safeParse(body).data?.error;
  const reason =
    said === undefined ? 'what answers there is no Prometheus' : cleanText(said, prometheusLimits.reasonLength);
  return {
    ok: false,
    failure: { code: 'malformed', reason: `Prometheus could not tell its time: ${reason}`, broken: false },
  };
};
