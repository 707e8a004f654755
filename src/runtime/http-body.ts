/** Reads the body of an answer to its end, decoded, within a size and an idle limit. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { classifyHttpError, type HttpFailure, httpFailure } from './http-failure.ts';

export interface BodyLimits {
  /** Decoded bytes: a small answer that unpacks to a large one is refused too. */
  readonly maxBodyBytes: number;
  readonly idleMs: number;
}

const decoderOf = (response: IncomingMessage): Readable | null => {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip' ? createGunzip() : encoding === 'deflate' ? createInflate() : null;
  if (decoder === null) return null;
  // `pipe` carries no errors: a connection that breaks must not look like the end of the answer.
  response.on('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
};

const zlibError = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' && (code.startsWith('Z_') || code === 'ERR_ZLIB_INITIALIZATION_FAILED');
};

/** Calls `done` exactly once, with the whole body or with why there is none. */
export const readBody = (
  response: IncomingMessage,
  origin: string,
  limits: BodyLimits,
  done: (body: Buffer | HttpFailure) => void,
): void => {
  const stream = decoderOf(response);
  if (stream === null) {
    done(httpFailure('http_malformed', `${origin} answers in an encoding that was not asked for`));
    return;
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let ended = false;
  const finish = (outcome: Buffer | HttpFailure): void => {
    if (ended) return;
    ended = true;
    clearTimeout(idle);
    done(outcome);
  };
  const idle = setTimeout(() => {
    finish(httpFailure('http_timeout', `${origin} stopped sending inside its answer for idleMs = ${limits.idleMs} ms`));
  }, limits.idleMs);
  stream.on('data', (chunk: Buffer) => {
    idle.refresh();
    sizeBytes += chunk.length;
    if (sizeBytes > limits.maxBodyBytes) {
      return finish(
        httpFailure('http_too_large', `${origin} answered more than maxBodyBytes = ${limits.maxBodyBytes} bytes`),
      );
    }
    chunks.push(chunk);
  });
  stream.on('end', () => finish(Buffer.concat(chunks, sizeBytes)));
  stream.on('error', (error) => {
    if (!zlibError(error)) return finish(classifyHttpError(error, origin, true));
    const cut = (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
    finish(
      httpFailure(cut ? 'http_cut_short' : 'http_malformed', `${origin} sent a compressed answer that does not unpack`),
    );
  });
  stream.on('close', () => finish(httpFailure('http_cut_short', `${origin} broke off inside its answer`)));
};
