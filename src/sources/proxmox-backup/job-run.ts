/** A job as the server lists it, as a reading of the upkeep of its datastore. Pure. */
import type { UpkeepReading } from '../../../signals/reading.ts';
import { redactSecrets } from '../../runtime/redact-secrets.ts';
import { cleanText } from '../../runtime/text.ts';
import type { DueTimes } from '../proxmox/calendar-event/due-times.ts';
import type { JobItem } from './answers.ts';
import type { KeptJob } from './job-memory.ts';
import { proxmoxBackupLimits } from './proxmox-backup-limits.ts';
import { parseUpid } from './upid.ts';

export type UpkeepAction = UpkeepReading['action'];
type Run = NonNullable<UpkeepReading['lastRun']>;

export interface JobContext {
  readonly due: DueTimes;
  readonly timeZone: string;
  readonly before: KeptJob | undefined;
  readonly nowMs: number;
}

/** What is written when the server was stopped in the middle of a run. */
const UNKNOWN = 'unknown';

const endOf = (state: string): Pick<Run, 'outcome' | 'reason'> => {
  if (state === 'OK') return { outcome: 'ok', reason: null };
  const reason = cleanText(redactSecrets(state), proxmoxBackupLimits.reasonLength);
  if (state.startsWith('WARNINGS')) return { outcome: 'warnings', reason };
  if (state === UNKNOWN) return { outcome: 'failed', reason: 'it was cut off: the server was stopped while it ran' };
  return { outcome: 'failed', reason };
};

/** Null: none has ended, as far as the server tells. */
const runOf = (item: JobItem): Run | null => {
  const { 'last-run-state': state, 'last-run-endtime': endtime, 'last-run-upid': upid, duration } = item;
  if (state === undefined || endtime === undefined) return null;
  const startedAtMs = duration === undefined ? parseUpid(upid ?? '')?.startedAtMs : (endtime - duration) * 1000;
  return { startedAtMs: startedAtMs ?? null, endedAtMs: endtime * 1000, ...endOf(state) };
};

/** Of a job that runs, the server tells the id of the run and no end of it. */
const isRunning = ({ 'last-run-upid': last, upid = last, 'last-run-state': state }: JobItem): boolean =>
  upid !== undefined && state === undefined;

export interface Job {
  readonly reading: UpkeepReading;
  readonly kept: KeptJob;
}

export const readJob = (action: UpkeepAction, item: JobItem, context: JobContext): Job => {
  const { before, nowMs } = context;
  const lastRun = runOf(item) ?? before?.lastRun ?? null;
  const kept = { seenAtMs: before?.seenAtMs ?? nowMs, lastRun };
  return {
    reading: {
      kind: 'upkeep',
      job: action === 'gc' ? 'gc' : cleanText(item.id ?? '', proxmoxBackupLimits.nameLength),
      action,
      enabled: item.disable !== true,
      running: isRunning(item),
      lastRun,
      dueAtMs: dueOf(action, item, kept, context),
    },
    kept,
  };
};

/**
 * The server reckons the next run from the last one's end, so that one in the past was missed; of garbage collection
 * that never ended it always reckons from now, which tells nothing.
 */
const dueOf = (
  action: UpkeepAction,
  item: JobItem,
  { seenAtMs, lastRun }: KeptJob,
  { due, timeZone }: JobContext,
): readonly [number, number] | null => {
  const { schedule, 'next-run': nextRun } = item;
  if (schedule === undefined || schedule === '' || item.disable === true) return null;
  const fromNow = action === 'gc' && item['last-run-endtime'] === undefined;
  if (nextRun === undefined || fromNow) return due.after(schedule, lastRun?.endedAtMs ?? seenAtMs, timeZone);
  const firstMs = nextRun * 1000;
  const after = due.after(schedule, firstMs, timeZone);
  return after === null ? null : [firstMs, after[0]];
};
