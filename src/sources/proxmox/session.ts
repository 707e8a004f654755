/** What authenticates requests: the header of a token, or the cookie of a ticket that is renewed in time. */
import { z } from 'zod';
import type { Clock } from '../../runtime/clock.ts';
import { type HttpResult, httpFailure } from '../../runtime/http-failure.ts';
import { createSecret, type Secret } from '../../runtime/secret.ts';
import { type CredentialSettings, type Credentials, readCredentials } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import type { ProxmoxProduct } from './product.ts';
import { saidBy } from './proxmox-failure.ts';
import { proxmoxLimits } from './proxmox-limits.ts';

export interface Session {
  /** Headers for one request to any endpoint of the cluster. */
  headers(endpoint: Endpoint, signal: AbortSignal): Promise<HttpResult<Readonly<Record<string, string>>>>;
  /** What was sent with `headers` was not accepted: they are made anew, from the files too. */
  forget(headers: Readonly<Record<string, string>>): void;
}

export interface SessionDeps {
  readonly product: ProxmoxProduct;
  readonly settings: CredentialSettings;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

interface Kept {
  readonly headers: Readonly<Record<string, string>>;
  /** Null: for good. */
  readonly untilMs: number | null;
}

const loginAnswer = z.looseObject({
  data: z.looseObject({ ticket: z.string().min(1).max(16_384).optional(), NeedTFA: z.unknown().optional() }),
});

export const createSession = ({ product, settings, clock }: SessionDeps): Session => {
  let kept: Promise<HttpResult<Kept>> | null = null;
  let current: Kept | null = null;
  const make = async (endpoint: Endpoint, signal: AbortSignal): Promise<HttpResult<Kept>> => {
    let credentials: Credentials;
    try {
      credentials = await readCredentials(settings);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'the credentials can not be read';
      return { ok: false, failure: httpFailure('http_not_permitted', reason) };
    }
    if (credentials.kind === 'token')
      return { ok: true, value: { headers: tokenHeader(product, credentials), untilMs: null } };
    const ticket = await login(endpoint, product, credentials, signal);
    if (!ticket.ok) return ticket;
    const headers = { cookie: `${product.ticketCookie}=${ticket.value.reveal()}` };
    return { ok: true, value: { headers, untilMs: clock.monotonicMs() + proxmoxLimits.ticketMs } };
  };
  return {
    headers: async (endpoint, signal) => {
      const isOver = current?.untilMs != null && clock.monotonicMs() >= current.untilMs;
      if (isOver) kept = current = null;
      kept ??= make(endpoint, signal);
      const mine = kept;
      const result = await mine;
      if (result.ok) current = result.value;
      else if (kept === mine) kept = null;
      return result.ok ? { ok: true, value: result.value.headers } : result;
    },
    forget: (headers) => {
      if (current?.headers === headers) kept = current = null;
    },
  };
};

const tokenHeader = (
  { tokenScheme, tokenSeparator }: ProxmoxProduct,
  { tokenId, secret }: Extract<Credentials, { kind: 'token' }>,
): Readonly<Record<string, string>> => ({
  authorization: `${tokenScheme}=${tokenId}${tokenSeparator}${secret.reveal()}`,
});

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
};

/** A ticket for two hours. A user with a second factor can't get one here. */
const login = async (
  endpoint: Endpoint,
  { name }: ProxmoxProduct,
  { username, password }: Extract<Credentials, { kind: 'password' }>,
  signal: AbortSignal,
): Promise<HttpResult<Secret>> => {
  const answer = await endpoint.login({ username, password: password.reveal() }, signal);
  if (!answer.ok) return answer;
  const refuse = (reason: string): HttpResult<Secret> => ({
    ok: false,
    failure: httpFailure('http_not_permitted', reason, answer.value.status),
  });
  if (answer.value.status !== 200) {
    const said = saidBy(answer.value);
    return refuse(
      `${endpoint.origin} does not let ${username} in (${answer.value.status}${said === '' ? '' : `: ${said}`}): check username with its realm, and the password`,
    );
  }
  const body = loginAnswer.safeParse(parse(answer.value.body));
  const data = body.data?.data;
  if (data?.NeedTFA !== undefined && data.NeedTFA !== 0 && data.NeedTFA !== false) {
    return refuse(`${username} has a second factor on ${endpoint.origin}: make an API token and use tokenId instead`);
  }
  if (data?.ticket === undefined) return refuse(`${endpoint.origin} gave no ticket: is this ${name}?`);
  if (data.ticket.startsWith(`${name === 'Proxmox VE' ? 'PVE' : 'PBS'}:!tfa!`)) {
    return refuse(`${username} has a second factor on ${endpoint.origin}: make an API token and use tokenId instead`);
  }
  return { ok: true, value: createSecret(data.ticket) };
};
