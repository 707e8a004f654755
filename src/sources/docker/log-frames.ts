/**
 * The engine's log stream: frames of `[stream, 0, 0, 0, length as 4 bytes]` and a payload, or the bare bytes where the
 * container has a terminal (Engine API, "Attach to a container"). With `timestamps` each line begins with its instant.
 */
import type { LogLine } from '../log.ts';

const HEADER_BYTES = 8;
const STREAMS = 3;

const isFramed = (body: Buffer): boolean =>
  body.length >= HEADER_BYTES && (body[0] ?? STREAMS) < STREAMS && body[1] === 0 && body[2] === 0 && body[3] === 0;

/** A last frame that was cut counts as far as it goes. */
const payloadsOf = (body: Buffer): string => {
  if (!isFramed(body)) return body.toString('utf8');
  const parts: Buffer[] = [];
  for (let at = 0; at + HEADER_BYTES <= body.length; ) {
    const end = at + HEADER_BYTES + body.readUInt32BE(at + 4);
    parts.push(body.subarray(at + HEADER_BYTES, end));
    at = end;
  }
  return Buffer.concat(parts).toString('utf8');
};

const STAMPED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) ?(.*)$/s;

/** Oldest first, as the engine sends them. */
export const parseLog = (body: Buffer): readonly LogLine[] =>
  payloadsOf(body)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, stamp = '', text = line] = STAMPED.exec(line) ?? [];
      const atMs = Date.parse(stamp);
      return { atMs: Number.isNaN(atMs) ? null : atMs, text: text.replace(/\r$/, '') };
    });
