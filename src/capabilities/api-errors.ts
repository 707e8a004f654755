/** The codes by which a request can fail: stable, published in the manifest, never reused. */

interface ApiErrorMeaning {
  /** HTTP status that it is answered with. */
  readonly status: number;
  readonly meaning: string;
}

/** What a capability itself, or the check of its input, can answer. */
const OF_CAPABILITIES = {
  invalid_request: { status: 400, meaning: 'The input does not fit; `details.problems` lists all that is wrong.' },
  invalid_finding_request: {
    status: 400,
    meaning: 'The input of a request about findings does not fit; `details.problems` lists all that is wrong.',
  },
  missing_id: { status: 400, meaning: 'The path lacks the id of what is asked for.' },
  finding_not_found: { status: 404, meaning: 'There is no finding with that id.' },
  finding_id_ambiguous: {
    status: 400,
    meaning: 'Several findings have an id that begins or ends like this; `details.candidates` names some.',
  },
  resource_not_found: { status: 404, meaning: 'There is no resource with that id.' },
  run_not_found: { status: 404, meaning: 'There is no run with that id, or none has ended yet.' },
} as const satisfies Readonly<Record<string, ApiErrorMeaning>>;

/** What any request can be answered before, or instead of, reaching a capability. */
const OF_THE_WAY = {
  malformed_request: {
    status: 400,
    meaning: 'The request is not HTTP, its URL can not be decoded, or its body is not JSON.',
  },
  not_authenticated: { status: 401, meaning: 'It needs a token, or the one that was sent is unknown or revoked.' },
  scope_missing: { status: 403, meaning: 'The token does not hold the scope that this needs.' },
  capability_not_found: { status: 404, meaning: 'There is nothing at that path.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, but not for that method; `Allow` lists those it has.' },
  request_timed_out: { status: 408, meaning: 'The request did not arrive within the time limit.' },
  body_too_large: { status: 413, meaning: 'The body is larger than is taken.' },
  content_type_unsupported: {
    status: 415,
    meaning: 'A body must be `application/json` in UTF-8, without an encoding.',
  },
  host_not_allowed: {
    status: 421,
    meaning: 'On loopback, `Host` must name this machine: the request may be a forged one.',
  },
  rate_limited: { status: 429, meaning: 'Too many requests; `Retry-After` says when to come back.' },
  headers_too_large: { status: 431, meaning: 'The headers, or the URL, are larger than is taken.' },
  internal_error: { status: 500, meaning: 'A defect of patrold; the log tells more under `details.requestId`.' },
  patrol_unavailable: {
    status: 503,
    meaning: 'patrold can not answer now: its store can not be read, or it is stopping.',
  },
} as const satisfies Readonly<Record<string, ApiErrorMeaning>>;

export const API_ERRORS = { ...OF_CAPABILITIES, ...OF_THE_WAY } as const;

export type ApiErrorCode = keyof typeof API_ERRORS;
export type CapabilityErrorCode = keyof typeof OF_CAPABILITIES;
/** Not declared by any capability: the manifest names them once for all. */
export type WayErrorCode = keyof typeof OF_THE_WAY;

export const WAY_ERROR_CODES = Object.keys(OF_THE_WAY) as readonly WayErrorCode[];
export const CAPABILITY_ERROR_CODES = Object.keys(OF_CAPABILITIES) as readonly CapabilityErrorCode[];
