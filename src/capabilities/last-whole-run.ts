/** The newest run over everything that has ended, whatever became of it. */
import type { RunRecord } from '../patrol/run-record.ts';
import type { CapabilityPorts } from './ports.ts';

/** Newest runs among which it is looked for; scoped ones and those under way are passed over. */
const RECENT_RUNS = 50;

export const lastWholeRun = (runs: Pick<CapabilityPorts['runs'], 'list'>): RunRecord | null =>
  runs
    .list({ limit: RECENT_RUNS })
    .find(({ state, scope }) => scope === null && state !== 'running' && state !== 'queued') ?? null;
