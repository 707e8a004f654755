/** One run for a caller who waits: executed here, or by the daemon that holds the lease. */
import type { RunOnce, RunOutcome } from '../cli/app.ts';
import type { OnRunEvent } from '../patrol/events.ts';
import type { RunReport } from '../patrol/report.ts';
import { PatroldError } from '../runtime/errors.ts';
import type { Essentials, Patrol } from './patrol.ts';
import type { OpenStores } from './stores.ts';

/** How often a follower looks at how far the daemon has come. */
const FOLLOW_EVERY_MS = 200;

export interface RunOnceDeps {
  readonly essentials: Essentials;
  readonly stores: OpenStores;
  readonly patrol: Patrol;
}

/** New stages of a run that another process executes. */
const tell = ({ runs }: OpenStores, runId: string, told: number, onEvent: OnRunEvent): number => {
  const stages = runs.get(runId)?.stages ?? [];
  for (const stage of stages.slice(told)) onEvent({ kind: 'stage_ended', runId, stage });
  return Math.max(told, stages.length);
};

const reportOf = ({ runs }: OpenStores, runId: string): RunReport => {
  const text = runs.report(runId);
  if (text === null)
    throw new PatroldError(
      'run_not_found',
      `run ${runId} ended without a report: ${runs.get(runId)?.reason ?? 'its process ended'}`,
    );
  return JSON.parse(text) as RunReport;
};

/** Executes requests until the wanted one is done; null: somebody else holds the lease. */
const executeHere = async (
  { essentials, stores, patrol }: RunOnceDeps,
  requestId: string,
  signal: AbortSignal,
): Promise<RunReport | null> => {
  const { lease, worker } = patrol;
  if (!lease.acquire(essentials.clock.nowMs())) return null;
  try {
    worker.recover();
    for (let executed = await worker.next(signal); executed !== null; executed = await worker.next(signal)) {
      if (executed.request.id === requestId) return executed.report;
    }
    const request = stores.queue.get(requestId);
    throw new PatroldError('run_cancelled', request?.reason ?? 'the request was taken back');
  } finally {
    lease.release();
  }
};

export const runOnce = async (deps: RunOnceDeps, { kind, scope, onEvent, signal }: RunOnce): Promise<RunOutcome> => {
  const { essentials, stores } = deps;
  const { clock } = essentials;
  const requestId = stores.queue.add({ kind, scope, trigger: 'manual' }, clock.nowMs());
  for (let told = 0; ; await clock.sleep(FOLLOW_EVERY_MS, signal)) {
    const request = stores.queue.get(requestId);
    const runId = request?.runId ?? null;
    if (runId !== null) told = tell(stores, runId, told, onEvent);
    if (runId !== null && request?.state !== 'queued' && request?.state !== 'claimed')
      return { report: reportOf(stores, runId), notKept: null, byDaemon: true };
    // The holder may have ended since: then it is our turn.
    const report = await executeHere(deps, requestId, signal);
    if (report === null) continue;
    const record = report.run.stages.at(-1);
    const notKept = record?.name === 'record' && record.status === 'failed' ? record.reason : null;
    return { report, notKept, byDaemon: false };
  }
};
