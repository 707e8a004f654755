/** Results longer than a model should be shown at once: the beginning, and a cursor to the rest. */
import { z } from 'zod';
import type { Tool } from '../tool.ts';

export const RESULT_CHARACTERS = 16_000;
/** Of the model's context, one result may take so much. */
export const RESULT_CONTEXT_SHARE = 0.15;
/** Characters to a token, on the careful side. */
const CHARACTERS_A_TOKEN = 3;
/** So much is kept of all long results; the oldest are forgotten first. */
export const KEPT_CHARACTERS = 2_000_000;
const LEAST_CHARACTERS = 500;

export const resultCharacters = (contextTokens: number): number =>
  Math.max(
    LEAST_CHARACTERS,
    Math.min(RESULT_CHARACTERS, Math.floor(contextTokens * RESULT_CONTEXT_SHARE * CHARACTERS_A_TOKEN)),
  );

export interface LongResults {
  /** What of the text is shown; the rest can be read with `read_more`. */
  show(text: string): string;
  readonly readMore: Tool<unknown>;
}

const NOTE_LENGTH = 120;

/** At the end of a line, where one is near. */
const cutAt = (text: string, from: number, most: number): number => {
  const end = from + most;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end);
  const cut = line > from + most / 2 ? line + 1 : end;
  // Not between the halves of a character.
  return /[\uD800-\uDBFF]/.test(text.charAt(cut - 1)) ? cut - 1 : cut;
};

export const createLongResults = (maxCharacters: number): LongResults => {
  const kept = new Map<string, string>();
  let keptCharacters = 0;
  let count = 0;
  const keep = (text: string): string => {
    count += 1;
    const name = `r${count}`;
    kept.set(name, text);
    keptCharacters += text.length;
    for (const [oldest, old] of kept) {
      if (keptCharacters <= KEPT_CHARACTERS || oldest === name) break;
      kept.delete(oldest);
      keptCharacters -= old.length;
    }
    return name;
  };
  const part = (name: string, text: string, from: number): string => {
    const end = cutAt(text, from, maxCharacters - NOTE_LENGTH);
    if (end >= text.length) return text.slice(from);
    return `${text.slice(from, end)}\n[cut at ${end} of ${text.length} characters; the rest: read_more {"cursor":"${name}:${end}"}]`;
  };
  // Made for each loop, so that it is in no list.
  const readMore: Tool<unknown, { readonly cursor: string }> = {
    name: 'read_more',
    effect: 'read',
    description: 'The rest of a result that was cut.',
    input: z.strictObject({ cursor: z.string().max(40) }),
    timeoutMs: 5_000,
    run: async ({ cursor }) => {
      const [, name = '', from = ''] = /^(r\d+):(\d+)$/.exec(cursor) ?? [];
      const text = kept.get(name);
      if (text === undefined || Number(from) >= text.length) {
        const message = 'there is nothing at this cursor any more: call the tool that gave it again';
        return { kind: 'error', error: { code: 'cursor_invalid', message, recoverable: true } };
      }
      return { kind: 'ok', text: part(name, text, Number(from)), evidence: [], touched: [] };
    },
  };
  return {
    show: (text) => (text.length <= maxCharacters ? text : part(keep(text), text, 0)),
    // Its input is checked by its own schema before it runs.
    readMore: readMore as unknown as Tool<unknown>,
  };
};
