/** Time, as edges are given it; pure code takes `nowMs` instead. */
import { setTimeout as wait } from 'node:timers/promises';

export interface Clock {
  /** The wall clock, epoch milliseconds. It can jump: never subtract two of these to get a duration. */
  nowMs(): number;
  /** Milliseconds since some fixed instant; only ever grows, for durations. */
  monotonicMs(): number;
  /**
   * Resolves after `ms` milliseconds of monotonic time, at once when that is not positive.
   * Rejects with the signal's reason when `signal` aborts first.
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Node takes a longer timer for one of 1 ms (`TIMEOUT_MAX` of its lib/internal/timers.js). */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const sleepFor = async (ms: number, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted();
  const end = performance.now() + ms;
  for (let leftMs = ms; leftMs > 0; leftMs = end - performance.now()) {
    try {
      await wait(Math.min(leftMs, LONGEST_TIMER_MS), undefined, { signal });
    } catch (error) {
      // Timers reject with an AbortError of their own; the caller wants to know why.
      signal.throwIfAborted();
      throw error;
    }
  }
};

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: sleepFor,
};
