/** What a connection is told whose bytes never became a request. */
import type { Socket } from 'node:net';
import { errorBody, type Failure, fail } from '../capabilities/answer.ts';
import { API_ERRORS } from '../capabilities/api-errors.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** By the codes of Node's HTTP parser and server. */
const failureOf = (code: string | undefined): Failure => {
  if (code === 'HPE_HEADER_OVERFLOW') return fail('headers_too_large', 'the headers are larger than is taken');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fail('request_timed_out', 'the request did not arrive in time');
  return fail('malformed_request', 'this is not HTTP');
};

export const answerClientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  // Gone, or in the middle of an answer: there is nobody to tell.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const failure = failureOf(error.code);
  const { status } = API_ERRORS[failure.code];
  const body = JSON.stringify(errorBody(failure));
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Bad Request'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};
