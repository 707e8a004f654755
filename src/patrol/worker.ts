/** Takes requests from the queue, one at a time, and executes them while it holds the lease. */
import type { Clock } from '../runtime/clock.ts';
import { PatroldError } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { HEARTBEAT_EVERY_MS, type Lease } from './lease.ts';
import type { QueuedRequest, RunQueue } from './queue.ts';
import type { RunReport } from './report.ts';
import type { RunStore } from './run-store.ts';

/** How soon a cancellation that another process asked for is noticed. */
const CANCEL_CHECK_EVERY_MS = 500;

export interface WorkerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queue: RunQueue;
  readonly runs: RunStore;
  readonly lease: Lease;
  readonly newId: () => string;
  readonly execute: (request: QueuedRequest, runId: string, signal: AbortSignal) => Promise<RunReport>;
}

export interface Executed {
  readonly request: QueuedRequest;
  readonly report: RunReport;
}

export interface Worker {
  /** After the lease was taken: puts right what a dead holder left. */
  recover(): void;
  /** Executes the next request; null: none waits. The lease must be held. */
  next(signal: AbortSignal): Promise<Executed | null>;
}

export const createWorker = (deps: WorkerDeps): Worker => {
  const { clock, logger, queue, runs, lease } = deps;

  const watchOver = (runId: string, abort: AbortController): (() => void) => {
    const beat = setInterval(() => {
      if (!lease.heartbeat(clock.nowMs())) abort.abort(new PatroldError('lease_lost', 'another process took over'));
    }, HEARTBEAT_EVERY_MS);
    const look = setInterval(() => {
      if (runs.isCancelRequested(runId)) abort.abort(new PatroldError('run_cancelled', 'cancelled by request'));
    }, CANCEL_CHECK_EVERY_MS);
    return () => {
      clearInterval(beat);
      clearInterval(look);
    };
  };

  return {
    recover: () => {
      const interrupted = runs.interruptLeftovers('the process that ran it ended');
      const again = queue.recover();
      if (interrupted > 0) logger.warn({ interrupted, again }, 'a run was cut short by the end of its process');
    },
    next: async (signal) => {
      const runId = deps.newId();
      const request = queue.claim(runId);
      if (request === null) return null;
      const abort = new AbortController();
      const stop = watchOver(runId, abort);
      try {
        const report = await deps.execute(request, runId, AbortSignal.any([signal, abort.signal]));
        const { state, reason } = report.run;
        queue.finish(request, state === 'cancelled' ? 'cancelled' : 'done', reason);
        return { request, report };
      } finally {
        stop();
      }
    },
  };
};
