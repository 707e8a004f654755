/** Thrown errors: each carries a stable code that documentation, logs and clients can rely on. */

import { databaseErrors } from './error-codes/database-errors.ts';
import { findingErrors } from './error-codes/finding-errors.ts';
import { modelErrors } from './error-codes/model-errors.ts';
import { runErrors } from './error-codes/run-errors.ts';
import { setupErrors } from './error-codes/setup-errors.ts';

/** Every code there is; docs/errors.md is made from this. A code is never renamed, and never means another thing. */
export const ERROR_CODES = {
  ...setupErrors,
  ...runErrors,
  ...databaseErrors,
  ...modelErrors,
  ...findingErrors,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ErrorContext {
  readonly cause?: unknown;
  /** Facts for a log line or a client: paths, counts, names. Never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

/** The only error that patrold throws on purpose. The message says what happened here; the code says what kind it is. */
export class PatroldError extends Error {
  override readonly name = 'PatroldError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, string | number | boolean>>;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, 'cause' in context ? { cause: context.cause } : undefined);
    this.code = code;
    this.details = context.details ?? {};
  }

  get remedy(): string {
    return ERROR_CODES[this.code].remedy;
  }
}
