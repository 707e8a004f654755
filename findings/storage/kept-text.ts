/** Text as it is kept: visible, without secrets, no longer than it may be. */
import { redactSecrets } from '../../src/runtime/redact-secrets.ts';
import { cleanText } from '../../src/runtime/text.ts';

export const TITLE_LENGTH = 200;
export const SUMMARY_LENGTH = 2000;
export const NOTE_LENGTH = 2000;
export const NAME_LENGTH = 200;

/** One line of printable ASCII, as detectors mostly write it. */
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/;
/** Without any of this there is nothing for `redactSecrets` to find; looking costs a tenth of it. */
const MAY_HOLD_SECRET = /[=@]|:\/\/|[\w-]{16,}|-----BEGIN|pass|pwd|secret|token|key|cred|psk|cookie|authoriz|bearer/i;

const LOOKED_AT_BEYOND = 2_000;

export const keptText = (text: string, maxLength: number): string => {
  const isShort = text.length <= maxLength;
  // What is too long is looked through before it is cut: half of a secret is no longer known for one.
  const line = isShort && PLAIN.test(text) ? text : cleanText(text, isShort ? maxLength : maxLength + LOOKED_AT_BEYOND);
  const clean = MAY_HOLD_SECRET.test(line) ? redactSecrets(line) : line;
  return isShort ? clean : cleanText(clean, maxLength);
};

export const keptTextOrNull = (text: string | null, maxLength: number): string | null =>
  text === null ? null : keptText(text, maxLength);

/** For `JSON.stringify`: the strings of what others wrote, without their secrets. */
export const withoutSecrets = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && MAY_HOLD_SECRET.test(value) ? redactSecrets(value) : value;
