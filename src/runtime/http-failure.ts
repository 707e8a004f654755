/** Why an HTTP exchange gave no usable answer: a closed set, each with a sentence that names the host and the remedy. */

export const HTTP_FAILURE_CODES = [
  'http_unreachable',
  'http_timeout',
  'http_untrusted',
  'http_fingerprint_mismatch',
  'http_tls_files',
  'http_cut_short',
  'http_too_large',
  'http_malformed',
  'http_not_permitted',
  'http_redirected',
  'http_status',
  'http_request_invalid',
  'http_aborted',
] as const;
export type HttpFailureCode = (typeof HTTP_FAILURE_CODES)[number];

/** `reason` holds the origin alone: no path, query, user info, header or body of the request can leak through it. */
export interface HttpFailure {
  readonly code: HttpFailureCode;
  readonly reason: string;
  /** The status of the answer, where there was one. */
  readonly status: number | null;
  /** The system's or node's own name of what happened (`ECONNREFUSED`), where there was one. */
  readonly errno?: string;
}

export type HttpResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: HttpFailure };

export const httpFailure = (code: HttpFailureCode, reason: string, status: number | null = null): HttpFailure => ({
  code,
  reason,
  status,
});

/** An error on its way through node's streams that already knows what to say. */
export class HttpFailureError extends Error {
  readonly failure: HttpFailure;
  constructor(failure: HttpFailure, context: { readonly cause?: unknown } = {}) {
    super(failure.reason, context);
    this.name = 'HttpFailureError';
    this.failure = failure;
  }
}

/** Failures that lie on this side: they say nothing about the other. */
export const LOCAL_ERRNOS: ReadonlySet<string> = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'EAFNOSUPPORT',
]);

/** Of several addresses of a name, one that was reached at all says more than one that has no route from here. */
const errorCode = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) {
    const codes = error.errors.map(errorCode);
    return codes.find((code) => !LOCAL_ERRNOS.has(code)) ?? codes[0] ?? 'unknown error';
  }
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
};

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection: is it running, and are address and port right?',
  ENOTFOUND: 'is a name that DNS does not know: check the name in the config, or the resolver',
  EAI_AGAIN: 'could not be resolved, DNS gave no answer: check the resolver of this machine',
  EHOSTUNREACH: 'has no route from here: check the network, or a firewall',
  ENETUNREACH: 'has no route from here: check the network',
  ETIMEDOUT: 'did not answer: check the network, or a firewall',
  ECONNRESET: 'closed the connection before it answered: is this the right port, and http or https as it expects?',
  EPIPE: 'closed the connection before it answered: is this the right port, and http or https as it expects?',
  ENOENT: 'is a socket that does not exist: is the service running, and is the path right?',
  EACCES: 'may not be opened by this user: give the user that patrold runs as access to it',
  EPERM: 'may not be opened by this user, or the firewall of this machine forbids it',
};

/** node's names of verification failures start so, or are these. */
const isTrustError = (code: string): boolean =>
  code.startsWith('CERT_') ||
  code.startsWith('UNABLE_TO_') ||
  code.startsWith('ERR_TLS_CERT_') ||
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'INVALID_CA', 'HOSTNAME_MISMATCH'].includes(code);

/** What an error of a connection or a parser means. `started`: the head of the answer had arrived already. */
export const classifyHttpError = (error: unknown, origin: string, started: boolean): HttpFailure => {
  if (error instanceof HttpFailureError) return error.failure;
  const code = errorCode(error);
  if (isTrustError(code)) {
    return httpFailure(
      'http_untrusted',
      `${origin} shows a certificate that is not trusted here (${code}): name its CA with caFile, or pin the certificate with fingerprint`,
    );
  }
  if (code.startsWith('HPE_')) {
    return started
      ? httpFailure('http_cut_short', `${origin} broke off inside its answer (${code})`)
      : httpFailure('http_malformed', `${origin} does not speak HTTP (${code}): is this the right port?`);
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return httpFailure(
      'http_unreachable',
      `${origin} does not complete a TLS handshake (${code}): is it https at all?`,
    );
  }
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_UNESCAPED_CHARACTERS' || code === 'ERR_INVALID_HTTP_TOKEN') {
    return httpFailure(
      'http_request_invalid',
      `a header or path configured for ${origin} has characters that HTTP forbids`,
    );
  }
  if (started) return httpFailure('http_cut_short', `${origin} broke off inside its answer (${code})`);
  const reason = `${origin} ${UNREACHABLE[code] ?? 'could not be reached'} (${code})`;
  return { ...httpFailure('http_unreachable', reason), errno: code };
};
