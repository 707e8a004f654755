/** What a capability answers: a value, or a failure with a declared code. */
import type { ApiErrorCode } from './api-errors.ts';

/** Facts about a failure, as JSON. Never a secret. */
export type FailureDetails = Readonly<Record<string, unknown>>;

export interface Failure<C extends ApiErrorCode = ApiErrorCode> {
  readonly ok: false;
  readonly code: C;
  readonly message: string;
  readonly details?: FailureDetails;
}

export interface Success<T> {
  readonly ok: true;
  readonly value: T;
}

export type Answer<T, C extends ApiErrorCode> = Success<T> | Failure<C>;

export const succeed = <T>(value: T): Success<T> => ({ ok: true, value });

export const fail = <const C extends ApiErrorCode>(code: C, message: string, details?: FailureDetails): Failure<C> => ({
  ok: false,
  code,
  message,
  ...(details === undefined ? {} : { details }),
});

/** How a failure looks to every client. */
export interface ErrorBody {
  readonly error: ApiErrorCode;
  readonly message: string;
  readonly details?: FailureDetails;
}

export const errorBody = ({ code, message, details }: Failure): ErrorBody => ({
  error: code,
  message,
  ...(details === undefined ? {} : { details }),
});
