/** Text from the infrastructure as a model is shown it: one visible line, bounded, without secrets. */
import { redactSecrets } from '../../runtime/redact-secrets.ts';
import { cleanText } from '../../runtime/text.ts';

/** Of names, reasons and figures in a row. */
export const CELL_LENGTH = 160;

/** Beyond what is shown, this much is looked at: a secret that is cut in two is no longer known for one. */
const LOOKED_AT_BEYOND = 2_000;

export const shownText = (text: string, maxLength: number = CELL_LENGTH): string =>
  cleanText(redactSecrets(cleanText(text, maxLength + LOOKED_AT_BEYOND)), maxLength);

/** Instants to the minute: finer ones say nothing to a reader, and cost. */
export const shownInstant = (atMs: number): string =>
  Number.isFinite(atMs) && Math.abs(atMs) <= MAX_INSTANT_MS
    ? `${new Date(atMs).toISOString().slice(0, 16)}Z`
    : 'unknown';

/** ECMA-262, time values. */
const MAX_INSTANT_MS = 8.64e15;
