/** Tries a turn again where that can help, as late as the provider asks, and within the time for a turn. */
import type { Clock } from '../runtime/clock.ts';
import { type Attempt, cancellation } from './attempt.ts';
import type { Circuit } from './circuit.ts';
import { ModelFailure, type ModelFailureKind } from './model-failure.ts';
import { type ModelTimeouts, watchTotal } from './time-limits.ts';

export const RETRY_LIMITS = {
  attempts: 3,
  /** Before the second attempt; twice as long before the third. A quarter is left to chance, so that many do not come at once. */
  firstWaitMs: 1_000,
  /** A provider that wants to be left alone for longer ends the turn: the patrol has a half that needs no model. */
  longestWaitMs: 60_000,
} as const;

/** What may be over in a moment. A model that is too slow will be as slow again. */
const PASSING: ReadonlySet<ModelFailureKind> = new Set(['unreachable', 'rate_limited', 'overloaded']);

export interface RetryDeps {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly circuit: Circuit;
  readonly timeouts: ModelTimeouts;
  readonly origin: string;
}

const backOffMs = (attempt: number, random: () => number): number =>
  RETRY_LIMITS.firstWaitMs * 2 ** (attempt - 1) * (0.75 + random() / 4);

const asFailure = (error: unknown): ModelFailure =>
  error instanceof ModelFailure
    ? error
    : new ModelFailure('bad_answer', 'asking the model failed in patrold itself', { cause: error });

export const withRetry = (attempt: Attempt, { clock, random, circuit, timeouts, origin }: RetryDeps): Attempt => {
  const once: Attempt = async (request, options) => {
    const leave = circuit.enter();
    try {
      const turn = await attempt(request, options);
      leave('succeeded');
      return turn;
    } catch (error) {
      const failure = asFailure(error);
      leave(failure);
      throw failure;
    }
  };
  return async (request, options) => {
    const total = watchTotal(clock, timeouts, origin);
    const signal = AbortSignal.any([options.signal, total.signal]);
    try {
      for (let count = 1; ; count += 1) {
        try {
          return await once(request, { ...options, signal });
        } catch (error) {
          const failure = asFailure(error);
          if (!PASSING.has(failure.kind) || count >= RETRY_LIMITS.attempts) throw failure;
          const waitMs = Math.max(backOffMs(count, random), failure.retryAfterMs ?? 0, circuit.waitMs());
          if (waitMs > RETRY_LIMITS.longestWaitMs) throw failure;
          await clock.sleep(waitMs, signal).catch(() => {
            throw cancellation(signal);
          });
        }
      }
    } finally {
      total.stop();
    }
  };
};
