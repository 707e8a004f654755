/** Time that moves only when a test says so. */
import type { Clock } from '../../src/runtime/clock.ts';

export interface FakeClock extends Clock {
  /** Lets `ms` pass on both clocks, waking sleepers in their order, each at its own instant. */
  advance(ms: number): Promise<void>;
  /** Makes the wall clock jump, as NTP or an operator does; sleepers do not notice. */
  setWallClock(nowMs: number): void;
  /** How many sleeps are waiting. */
  sleeping(): number;
}

interface Sleeper {
  readonly wakeAtMs: number;
  readonly wake: () => void;
}

/** Lets everything that a wake-up set in motion run until it waits again. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const createFakeClock = (startAtMs: number = Date.UTC(2026, 0, 1)): FakeClock => {
  let monotonicMs = 0;
  let wallOffsetMs = startAtMs;
  const sleepers = new Set<Sleeper>();

  const sleep = (ms: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const sleeper: Sleeper = {
        wakeAtMs: monotonicMs + ms,
        wake: () => {
          signal.removeEventListener('abort', abort);
          resolve();
        },
      };
      const abort = (): void => {
        sleepers.delete(sleeper);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      sleepers.add(sleeper);
    });
  };

  const advance = async (ms: number): Promise<void> => {
    const endMs = monotonicMs + ms;
    await settle();
    for (;;) {
      const next = [...sleepers].sort((a, b) => a.wakeAtMs - b.wakeAtMs)[0];
      if (next === undefined || next.wakeAtMs > endMs) break;
      monotonicMs = next.wakeAtMs;
      sleepers.delete(next);
      next.wake();
      await settle();
    }
    monotonicMs = endMs;
  };

  return {
    nowMs: () => wallOffsetMs + monotonicMs,
    monotonicMs: () => monotonicMs,
    sleep: async (ms, signal) => sleep(ms, signal),
    advance,
    setWallClock: (nowMs) => {
      wallOffsetMs = nowMs - monotonicMs;
    },
    sleeping: () => sleepers.size,
  };
};
