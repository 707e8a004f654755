/** How long a provider asks to be left alone. */
import type { ProviderError } from './provider-error.ts';

/** Longer is not believed: a clock is wrong, or somebody wants patrold to go away for good. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/** Google tells it in the body: `"retryDelay": "37s"` (google.rpc.RetryInfo). */
const RETRY_DELAY = /"retryDelay":\s*"(\d{1,6}(?:\.\d+)?)s"/;
const NUMBER = /^\d{1,9}(?:\.\d+)?$/;

const fromHeaders = (headers: ProviderError['headers'], nowMs: number): number | null => {
  const precise = headers['retry-after-ms'] ?? '';
  if (NUMBER.test(precise)) return Number(precise);
  const value = (headers['retry-after'] ?? '').trim();
  if (NUMBER.test(value)) return Number(value) * 1_000;
  const atMs = value === '' ? Number.NaN : Date.parse(value);
  return Number.isNaN(atMs) ? null : atMs - nowMs;
};

/** Milliseconds, or null where nothing was asked. `nowMs` is the wall clock, for a date in the header (RFC 9110, 10.2.3). */
export const retryAfterOf = ({ headers, body }: ProviderError, nowMs: number): number | null => {
  const inBody = RETRY_DELAY.exec(body)?.[1];
  const askedMs = fromHeaders(headers, nowMs) ?? (inBody === undefined ? null : Number(inBody) * 1_000);
  return askedMs === null ? null : Math.min(Math.max(0, Math.ceil(askedMs)), MAX_RETRY_AFTER_MS);
};
