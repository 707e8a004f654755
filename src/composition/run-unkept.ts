/** Where nothing can be kept, a run still looks and tells: its verdicts don't need the database. */
import type { RunOnce, RunOutcome } from '../cli/app.ts';
import type { OnRunEvent } from '../patrol/events.ts';
import { openVolatileDatabase } from '../runtime/database.ts';
import { PatroldError } from '../runtime/errors.ts';
import type { Essentials, Patrol } from './patrol.ts';
import { runOnce } from './run-once.ts';
import { type OpenStores, openStores } from './stores.ts';

export interface RunUnkeptDeps {
  readonly essentials: Essentials;
  readonly openStores: () => OpenStores;
  readonly detectorTypes: ReadonlySet<string>;
  readonly createPatrolOn: (stores: OpenStores, onEvent: OnRunEvent) => Patrol;
}

/** What a place to write refuses; other errors of the database (a newer version) mean that a run would do harm. */
const UNWRITABLE: ReadonlySet<string> = new Set([
  'database_read_only',
  'database_full',
  'database_unreadable',
  'database_io',
]);

const runOn = async (deps: RunUnkeptDeps, stores: OpenStores, request: RunOnce): Promise<RunOutcome> => {
  const patrol = deps.createPatrolOn(stores, request.onEvent);
  try {
    return await runOnce({ essentials: deps.essentials, stores, patrol }, request);
  } finally {
    await patrol.close();
  }
};

export const runOnceOrUnkept = async (deps: RunUnkeptDeps, request: RunOnce): Promise<RunOutcome> => {
  try {
    return await runOn(deps, deps.openStores(), request);
  } catch (error) {
    if (!(error instanceof PatroldError && UNWRITABLE.has(error.code))) throw error;
    const stores = openStores(openVolatileDatabase(), deps.essentials.newId, deps.detectorTypes);
    const { report } = await runOn(deps, stores, request);
    const run = { ...report.run, state: 'failed' as const, status: 'error' as const, reason: error.message };
    // What was filed went with the database in memory: nobody shall take it for kept.
    return { report: { ...report, run, findings: [] }, notKept: error.message, byDaemon: false };
  }
};
