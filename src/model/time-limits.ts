/** Three limits of time: to the first piece of an answer, between two pieces, and for a turn in all. */
import type { Clock } from '../runtime/clock.ts';
import { ModelFailure } from './model-failure.ts';

export interface ModelTimeouts {
  readonly firstTokenMs: number;
  readonly idleMs: number;
  /** For the whole turn, its retries included. */
  readonly totalMs: number;
}

export interface Watched {
  /** Aborts with a `ModelFailure` when a limit is hit. */
  readonly signal: AbortSignal;
  stop(): void;
}

export interface WatchedAnswer extends Watched {
  /** Something came; `isAnswer`: a piece of the answer, not just a sign of life. */
  touch(isAnswer: boolean): void;
}

const timedOut = (limit: keyof ModelTimeouts, ms: number, what: string): ModelFailure =>
  new ModelFailure('timed_out', `${what} within ${limit} = ${ms} ms`, { details: { limit, ms } });

export const watchTotal = (clock: Clock, { totalMs }: ModelTimeouts, origin: string): Watched => {
  const over = new AbortController();
  const done = new AbortController();
  clock.sleep(totalMs, done.signal).then(
    () => over.abort(timedOut('totalMs', totalMs, `${origin} did not complete a turn`)),
    () => undefined,
  );
  return { signal: over.signal, stop: () => done.abort() };
};

/** Between the first piece and the end it is silence that counts; a sign of life does not stand for a first piece. */
export const watchAnswer = (clock: Clock, { firstTokenMs, idleMs }: ModelTimeouts, origin: string): WatchedAnswer => {
  const over = new AbortController();
  const done = new AbortController();
  const startedMs = clock.monotonicMs();
  let heardMs: number | null = null;
  const failure = (): ModelFailure =>
    heardMs === null
      ? timedOut('firstTokenMs', firstTokenMs, `${origin} did not begin to answer`)
      : timedOut('idleMs', idleMs, `${origin} sent nothing more`);
  const watch = async (): Promise<void> => {
    for (;;) {
      const deadlineMs = heardMs === null ? startedMs + firstTokenMs : heardMs + idleMs;
      const leftMs = deadlineMs - clock.monotonicMs();
      if (leftMs <= 0) return over.abort(failure());
      // Never longer than idleMs: a piece that comes meanwhile brings a deadline that is nearer than the first one.
      await clock.sleep(Math.min(leftMs, idleMs), done.signal);
    }
  };
  watch().catch(() => undefined);
  return {
    signal: over.signal,
    stop: () => done.abort(),
    touch: (isAnswer) => {
      if (isAnswer || heardMs !== null) heardMs = clock.monotonicMs();
    },
  };
};
