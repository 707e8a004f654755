/** Collects what a program prints, up to a limit. */
import type { Readable } from 'node:stream';

export interface CollectedOutput {
  /** What was kept so far, as UTF-8; invalid bytes become U+FFFD. */
  text(): string;
}

/** Keeps the first `maxBytes`; calls `onOverflow` once when there is more, and drops that. */
export const collectOutput = (stream: Readable, maxBytes: number, onOverflow: () => void): CollectedOutput => {
  const chunks: Buffer[] = [];
  let keptBytes = 0;
  let overflowed = false;
  stream.on('data', (chunk: Buffer) => {
    const room = maxBytes - keptBytes;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    if (kept.length > 0) chunks.push(kept);
    keptBytes += kept.length;
    if (chunk.length <= room || overflowed) return;
    overflowed = true;
    onOverflow();
  });
  // The child's exit tells what happened; a broken pipe adds nothing.
  stream.on('error', () => undefined);
  return { text: () => Buffer.concat(chunks).toString('utf8') };
};
