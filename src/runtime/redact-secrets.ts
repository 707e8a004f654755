/** Takes secrets out of text that others wrote, before it is shown, stored or logged. */

export const REDACTED = '[redacted]';

/** PEM armour (RFC 7468) up to its end line, or, where the text was cut, as far as base64 goes on. */
const PEM_BEGIN = /-----BEGIN [A-Z0-9 ]{1,60}-----/g;
const PEM_END = /-----END [A-Z0-9 ]{1,60}-----/g;
const PEM_BODY =
  /(?:\s{0,4}[A-Za-z-]{1,30}: [^\r\n]{0,200}[\r\n]+)*(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,})*(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{1,15}(?=\s*$))?/y;

/** `scheme://user:password@host`: user and password; both, since a user name alone can be a token. */
const URL_USER_INFO = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]{1,512}@/gi;

const COOKIE_LINE = /\b((?:set-)?cookie["']?[ \t]*:[ \t]*)[^\r\n]+/gi;
const AUTHORIZATION = /\b(authorization["']?[ \t]*[:=][ \t]*["']?)(?:([a-z]{1,20})[ \t]+)?[^\s"']+/gi;
const BEARER = /\b(bearer[ \t]+)[\w.~+/=-]{8,}/gi;

const SECRET_WORD =
  'passw(?:or)?d|passwd|passphrase|passcode|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|encryption[_-]?key|auth[_-]?key|credentials?|psk';
/** Ends before `, name=`, a separator or a quote at the end of a word, so that the rest of the line survives. */
const BARE_VALUE =
  '[^\\s"\'\\\\](?:(?![,;&]["\']?[\\w.-]{1,64}["\']?[=:]|[,;]+(?:\\s|$)|\\\\?["\'](?:[\\s,;:}\\])]|$))\\S){0,4096}';
/** The last form is a quote that the text's end, or somebody's shortening, left open. */
const QUOTED_VALUE =
  '"(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n]){0,4096}"|\\\\"[^"\\\\\\r\\n]{0,4096}\\\\"|\'[^\'\\r\\n]{0,4096}\'|\\\\?["\'][^\\r\\n]{1,4096}$';
const KEY_VALUE = new RegExp(
  `((?:${SECRET_WORD})[\\w.-]{0,64})((?:\\\\?["'])?[ \\t]*(?:=>|:=|=|:)[ \\t]*|(?<=--?[\\w-]{1,64})[ \\t]+)(${QUOTED_VALUE}|${BARE_VALUE})`,
  'gi',
);
/** Keys that speak about a secret without being one: where it lies, what it is called, how many. */
const HARMLESS_KEY = /(?:file|path|dir|id|name|type|count|length|limit|expiry|expires|tokens)$/i;
const QUERY_SIGNATURE = /([?&](?:key|sig|signature|auth|code|x-amz-signature)=)[^\s&#"']+/gi;

/** Formats that name themselves, as their issuers document them. */
const KNOWN_TOKENS: readonly RegExp[] = [
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g,
  /\bgl(?:pat|ptt|dt|rt|cbt|ft|soat)-[\w-]{20,}/g,
  /\bxox[a-z]-[\w-]{10,}/g,
  /\bsk-[\w-]{20,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /\b(?:hf|npm|pypi)[_-][A-Za-z0-9_-]{20,}/g,
  /\bglsa_\w{20,}/g,
  /\bAGE-SECRET-KEY-1[0-9A-Z]{20,}/gi,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b\d{8,12}:[A-Za-z0-9_-]{35}\b/g,
];
/** Proxmox: `PVEAPIToken=user@realm!name=uuid`, `PBSAPIToken=user@realm!name:uuid`. */
const PROXMOX_TOKEN = /(![\w.-]{1,64}[=:])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The text with its secrets replaced by `[redacted]`; the rest of each line stays. Doing it twice changes nothing. */
export const redactSecrets = (text: string): string => {
  let clean = redactPem(text)
    .replace(URL_USER_INFO, `$1${REDACTED}@`)
    .replace(PROXMOX_TOKEN, `$1${REDACTED}`)
    .replace(COOKIE_LINE, `$1${REDACTED}`)
    .replace(AUTHORIZATION, redactAuthorization)
    .replace(BEARER, `$1${REDACTED}`)
    .replace(KEY_VALUE, redactValue)
    .replace(QUERY_SIGNATURE, `$1${REDACTED}`);
  for (const token of KNOWN_TOKENS) clean = clean.replace(token, REDACTED);
  return clean;
};

const redactAuthorization = (_match: string, before: string, scheme: string | undefined): string =>
  scheme === undefined ? `${before}${REDACTED}` : `${before}${scheme} ${REDACTED}`;

const redactValue = (match: string, key: string, separator: string, value: string): string => {
  if (HARMLESS_KEY.test(key)) return match;
  // A working directory, not a password.
  if (/^pwd$/i.test(key) && value.startsWith('/')) return match;
  const quote = /^\\?["']/.exec(value)?.[0] ?? '';
  return `${key}${separator}${quote}${REDACTED}${quote}`;
};

const redactPem = (text: string): string => {
  let clean = '';
  let position = 0;
  for (const begin of text.matchAll(PEM_BEGIN)) {
    if (begin.index < position) continue;
    clean += text.slice(position, begin.index) + REDACTED;
    position = pemEnd(text, begin.index + begin[0].length);
  }
  return clean + text.slice(position);
};

/** Larger than any key that is in use; what lies further apart does not belong together. */
const PEM_MAX_LENGTH = 32_768;

const pemEnd = (text: string, start: number): number => {
  const block = text.slice(start, start + PEM_MAX_LENGTH);
  PEM_END.lastIndex = 0;
  const end = PEM_END.exec(block);
  if (end !== null) return start + end.index + end[0].length;
  PEM_BODY.lastIndex = start;
  return start + (PEM_BODY.exec(text)?.[0].length ?? 0);
};
