/** Ids of what patrold itself makes: runs, findings, requests. */
import { randomFillSync } from 'node:crypto';

/** Crockford's base 32, lower case: no i, l, o, u. Its order is the order of its values. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 48 bits of epoch milliseconds: good until the year 10889. */
const TIME_LENGTH = 10;
/** 80 random bits, fresh for each id, so that the end of an id tells it from its neighbours. */
const RANDOM_LENGTH = 16;
export const ID_LENGTH = TIME_LENGTH + RANDOM_LENGTH;

/** What people are shown and may type: the last characters, since ids of one second begin alike. */
export const SHORT_ID_LENGTH = 8;
export const shortId = (id: string): string => id.slice(-SHORT_ID_LENGTH);

export type NewId = () => string;

/** Random bytes are drawn for this many ids at once: one draw costs more than many bytes. */
const DRAWN_AT_ONCE = 256;

/** Ids laid out like ULIDs (github.com/ulid/spec): they sort by the millisecond in which they were made. */
export const createIds = (nowMs: () => number, fill: (bytes: Uint8Array) => void = randomFillSync): NewId => {
  const bytes = new Uint8Array(RANDOM_LENGTH * DRAWN_AT_ONCE);
  let next = bytes.length;
  const random = (): string => {
    if (next === bytes.length) {
      fill(bytes);
      next = 0;
    }
    let text = '';
    for (const end = next + RANDOM_LENGTH; next < end; next += 1) text += ALPHABET[(bytes[next] ?? 0) & 31];
    return text;
  };
  return () => encodeTime(nowMs()) + random();
};

const encodeTime = (atMs: number): string => {
  let rest = Math.max(0, Math.floor(atMs));
  let text = '';
  for (let index = 0; index < TIME_LENGTH; index += 1) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
};

/** What somebody typed, as it would be written here: case, and letters that are easily taken for digits. */
export const canonicalId = (typed: string): string =>
  typed.trim().toLowerCase().replace(/[il]/g, '1').replace(/o/g, '0');
