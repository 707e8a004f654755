/** Why a model gave no turn: a closed set, so that whoever asked can decide by kind and not by text. */
import { type ErrorCode, type ErrorContext, PatroldError } from '../runtime/errors.ts';

/** Each kind with the stable code that logs, documentation and clients know it by. */
export const FAILURE_CODES = {
  unreachable: 'model_unreachable',
  timed_out: 'model_timed_out',
  rate_limited: 'model_rate_limited',
  overloaded: 'model_overloaded',
  unauthorised: 'model_unauthorised',
  model_not_found: 'model_not_found',
  context_exceeded: 'model_context_exceeded',
  refused: 'model_refused',
  bad_answer: 'model_bad_answer',
  circuit_open: 'model_circuit_open',
  out_of_budget: 'model_out_of_budget',
  cancelled: 'model_cancelled',
} as const satisfies Readonly<Record<string, ErrorCode>>;

export type ModelFailureKind = keyof typeof FAILURE_CODES;

export interface ModelFailureContext extends ErrorContext {
  /** How long the provider asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

/** The only error that a model's turn ends with. Its message holds no secret and no text of the conversation. */
export class ModelFailure extends PatroldError {
  readonly kind: ModelFailureKind;
  readonly retryAfterMs: number | null;

  constructor(kind: ModelFailureKind, message: string, context: ModelFailureContext = {}) {
    super(FAILURE_CODES[kind], message, context);
    this.kind = kind;
    this.retryAfterMs = context.retryAfterMs ?? null;
  }
}
