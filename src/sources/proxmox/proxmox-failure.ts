/** Why a question to a Proxmox API brought no usable answer, in words for the operator. */
import type { GapCode } from '../../../signals/survey.ts';
import type { HttpFailure, HttpFailureCode } from '../../runtime/http-failure.ts';
import { redactSecrets } from '../../runtime/redact-secrets.ts';
import { cleanText } from '../../runtime/text.ts';
import { GAP_OF_HTTP } from '../gap-of-http.ts';
import { proxmoxLimits } from './proxmox-limits.ts';
import type { ProxmoxAnswer } from './proxmox-transport.ts';

/** What the API says it wanted: one of `privileges` on `path`. */
export interface MissingPrivilege {
  readonly path: string;
  readonly privileges: readonly string[];
}

export interface ProxmoxFailure {
  readonly code: GapCode;
  readonly reason: string;
  /** Null where the answer had no status, or where there was none. */
  readonly status: number | null;
  /** Set where the API refused for want of a privilege and named it. */
  readonly missing: MissingPrivilege | null;
  /** Nobody answered, or whoever asked is not let in at all: further questions are likely to fail as well. */
  readonly broken: boolean;
}

export type ProxmoxRead<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ProxmoxFailure };

const BROKEN: ReadonlySet<HttpFailureCode> = new Set([
  'http_unreachable',
  'http_untrusted',
  'http_fingerprint_mismatch',
  'http_tls_files',
  'http_not_permitted',
  'http_request_invalid',
  'http_aborted',
]);

export const fromHttpFailure = ({ code, reason, status }: HttpFailure): ProxmoxFailure => ({
  code: GAP_OF_HTTP[code],
  reason,
  status,
  missing: null,
  broken: BROKEN.has(code),
});

export const malformed = (reason: string): ProxmoxFailure => ({
  code: 'malformed',
  reason: cleanText(reason, proxmoxLimits.reasonLength),
  status: 200,
  missing: null,
  broken: false,
});

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** `{"errors": {"param": "why"}, "message": "…", "data": null}` of Proxmox VE 8 and later, plain text of the backup server. */
const saidInBody = (body: string): string => {
  const text = body.slice(0, 8 * proxmoxLimits.reasonLength);
  const value = parse(body.length > text.length ? '' : text);
  if (typeof value !== 'object' || value === null)
    return text.trimStart().startsWith('<') || text.trimStart().startsWith('{') ? '' : text;
  const message = 'message' in value && typeof value.message === 'string' ? value.message : '';
  const errors = 'errors' in value && typeof value.errors === 'object' && value.errors !== null ? value.errors : {};
  const byParameter = Object.entries(errors).map(([name, why]) => `${name}: ${String(why)}`);
  return [message.trim(), ...byParameter].filter((part) => part !== '').join('; ');
};

/** What the API itself says of a failed request; empty where it says nothing. */
export const saidBy = ({ reasonPhrase, body }: Pick<ProxmoxAnswer, 'reasonPhrase' | 'body'>): string => {
  const inBody = cleanText(redactSecrets(saidInBody(body)), proxmoxLimits.reasonLength);
  return inBody === '' ? cleanText(redactSecrets(reasonPhrase), proxmoxLimits.reasonLength) : inBody;
};

/**
 * Proxmox VE: `Permission check failed (/nodes/pve1, Sys.Audit)`, with `|` between alternatives. Proxmox Backup Server:
 * `permission check failed - missing Datastore.Audit on /datastore/store1`, newer ones at least.
 */
const VE_WORDS = /permission check failed \((\/[^,)]*),\s*([A-Za-z.|, ]+)\)/i;
const BACKUP_WORDS = /permission check failed.*?missing ([A-Za-z.|, ]+?) on (\/[^\s,;]*)/i;

export const missingPrivilegeIn = (said: string): MissingPrivilege | null => {
  const ve = VE_WORDS.exec(said);
  const backup = BACKUP_WORDS.exec(said);
  const path = ve?.[1] ?? backup?.[2];
  const names = ve?.[2] ?? backup?.[1];
  if (path === undefined || names === undefined) return null;
  const privileges = names.split(/[|, ]+/).filter((name) => name !== '');
  return privileges.length === 0 ? null : { path, privileges };
};

export const describePrivilege = ({ path, privileges }: MissingPrivilege): string =>
  `${privileges.join(' or ')} on ${path}`;

const refusal = (origin: string, what: string, status: number, said: string): ProxmoxFailure => {
  const missing = missingPrivilegeIn(said);
  const wants =
    missing === null ? 'the right to it is missing' : `the privilege ${describePrivilege(missing)} is missing`;
  const reason = `${origin} refuses ${what} (${status}): ${wants}, for the token or for its user`;
  // Not `not_permitted`, which stands for what an operator leaves out on purpose: this survey is not whole.
  return { code: 'failed', reason, status, missing, broken: false };
};

/** An answer with another status than 200. `what` is the path that was asked for. */
export const fromStatus = (origin: string, what: string, answer: ProxmoxAnswer): ProxmoxFailure => {
  const { status } = answer;
  const said = saidBy(answer);
  const words = said === '' ? '' : `: ${said}`;
  const base = { code: 'failed', status, missing: null, broken: false } as const;
  if (status === 401) {
    const reason = `${origin} does not accept these credentials (401${words}): check tokenId and its secret, whether the token has expired, and that its user is enabled`;
    return { ...base, reason, broken: true };
  }
  if (status === 403) return refusal(origin, what, status, said);
  if (status >= 300 && status < 400) {
    const reason = `${origin} redirects ${what} elsewhere (${status}): put the address of the API itself into endpoints`;
    return { ...base, reason, broken: true };
  }
  // 595 to 599 are pveproxy's own: the node that was asked through it could not be reached, or broke off.
  if (status >= 595) {
    const reason = `${origin} could not reach the node behind ${what} (${status}${words})`;
    return { ...base, code: status === 599 ? 'timed_out' : 'unreachable', reason };
  }
  if (status === 501 || status === 404) {
    return { ...base, code: 'not_supported', reason: `${origin} has no ${what} (${status}${words})` };
  }
  return { ...base, reason: `${origin} answered ${what} with status ${status}${words}` };
};
