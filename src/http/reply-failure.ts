/** Every failure leaves in one shape. */
import type { FastifyReply } from 'fastify';
import { errorBody, type Failure, type FailureDetails, fail } from '../capabilities/answer.ts';
import { API_ERRORS } from '../capabilities/api-errors.ts';
import { databaseError } from '../runtime/database-error.ts';
import { PatroldError } from '../runtime/errors.ts';

/** How a client learns that it has to show a token (RFC 6750, section 3). */
const challenge = (failure: Failure): string =>
  failure.details?.['shown'] === true ? 'Bearer realm="patrold", error="invalid_token"' : 'Bearer realm="patrold"';

export const replyFailure = (reply: FastifyReply, failure: Failure): FastifyReply => {
  const { status } = API_ERRORS[failure.code];
  if (status === 401) reply.header('www-authenticate', challenge(failure));
  return reply.code(status).send(errorBody(failure));
};

/** What fastify itself refuses, by its codes. */
const BY_CODE: Readonly<Record<string, Failure>> = {
  FST_ERR_BAD_URL: fail('malformed_request', 'the URL can not be decoded'),
  FST_ERR_MAX_PARAM_LENGTH: fail('malformed_request', 'a part of the path is longer than any id'),
  FST_ERR_CTP_INVALID_JSON_BODY: fail('malformed_request', 'the body is not JSON'),
  FST_ERR_CTP_EMPTY_JSON_BODY: fail('malformed_request', 'the body is empty'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: fail('malformed_request', 'the body is not as long as Content-Length says'),
  FST_ERR_CTP_BODY_TOO_LARGE: fail('body_too_large', 'the body is larger than is taken'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: fail('content_type_unsupported', 'a body must be application/json in UTF-8'),
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;

/** The failure that an error stands for; `internal_error` where it was not expected. */
export const failureOf = (error: unknown, details: FailureDetails): Failure => {
  const known = BY_CODE[codeOf(error)];
  if (known !== undefined) return known;
  const coded = databaseError(error, 'patrold.db');
  if (coded instanceof PatroldError && coded.code.startsWith('database_')) {
    return fail('patrol_unavailable', 'the store can not be read now', { cause: coded.code });
  }
  const status = statusOf(error);
  if (status === 429) return fail('rate_limited', 'too many requests');
  // Anything else of the 4xx class is about how the request was made: a body that broke off, a poisoned key.
  if (status >= 400 && status < 500) return fail('malformed_request', 'the request can not be read');
  return fail('internal_error', 'a defect of patrold; its log tells more', details);
};
