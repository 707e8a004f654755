/** Why a question to the engine brought no usable answer, in words for the operator. */
import type { GapCode } from '../../../signals/survey.ts';
import type { HttpFailure, HttpFailureCode } from '../../runtime/http-failure.ts';
import { redactSecrets } from '../../runtime/redact-secrets.ts';
import { cleanText } from '../../runtime/text.ts';
import { GAP_OF_HTTP } from '../gap-of-http.ts';
import { dockerLimits } from './docker-limits.ts';

export interface ReadFailure {
  readonly code: GapCode;
  readonly reason: string;
  /** The status of the answer, where there was one. */
  readonly status: number | null;
}

export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ReadFailure };

/** A socket that this user may not open tells how the machine is set up. */
const GAP_OF: Readonly<Record<HttpFailureCode, GapCode>> = { ...GAP_OF_HTTP, http_not_permitted: 'not_permitted' };

export const failed = <T>(code: GapCode, reason: string, status: number | null = null): Read<T> => ({
  ok: false,
  failure: { code, reason: cleanText(reason, dockerLimits.reasonLength), status },
});

export const fromHttpFailure = <T>(failure: HttpFailure): Read<T> =>
  failed(GAP_OF[failure.code], failure.reason, failure.status);

/** What the engine says in `{"message": …}`, or in plain text; empty for a page of a proxy. */
const said = (text: string): string => {
  const message = jsonMessage(text) ?? (text.trimStart().startsWith('<') ? '' : text);
  const clean = redactSecrets(cleanText(message.slice(0, 8 * dockerLimits.reasonLength), dockerLimits.reasonLength));
  return clean === '' ? '' : `: ${clean}`;
};

const jsonMessage = (text: string): string | null => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const message: unknown = 'message' in value ? value.message : null;
    return typeof message === 'string' ? message : null;
  } catch {
    return null;
  }
};

/** An answer with another status than 200. `what` is the question's path without its version. */
export const fromStatus = <T>(origin: string, what: string, status: number, text: string): Read<T> => {
  if (status === 401 || status === 403) {
    const reason = `${origin} does not let patrold read ${what} (${status}): a socket proxy in between must allow VERSION, INFO, CONTAINERS and EVENTS`;
    return failed('not_permitted', reason, status);
  }
  if (status >= 300 && status < 400) {
    return failed('failed', `${origin} redirects ${what} elsewhere (${status}): is this a container engine?`, status);
  }
  return failed('failed', `${origin} answered ${what} with status ${status}${said(text)}`, status);
};
