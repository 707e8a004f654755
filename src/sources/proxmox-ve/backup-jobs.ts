/** Jobs that make backups, and which guests each of them takes. Coverage is reckoned here: Proxmox' own list counts jobs that are off. */
import { z } from 'zod';
import { flag, text } from '../proxmox/answer-fields.ts';
import { malformed, type ProxmoxRead } from '../proxmox/proxmox-failure.ts';
import type { ProxmoxReader } from '../proxmox/proxmox-reader.ts';
import type { SourceState } from '../source.ts';
import { isDoubtful } from './emptied.ts';
import type { VeGuest } from './estate.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';

const jobItem = z.looseObject({
  id: z.string().min(1).max(128),
  type: text,
  enabled: flag,
  schedule: text,
  /** Before version 7.1: days and a time instead of a schedule. */
  dow: text,
  starttime: text,
  storage: text,
  dumpdir: text,
  all: flag,
  vmid: text,
  exclude: text,
  pool: text,
  node: text,
  mode: text,
});

export interface BackupJob {
  readonly id: string;
  readonly enabled: boolean;
  /** A calendar event of Proxmox; null: it has none. */
  readonly schedule: string | null;
  /** Null: it writes into a directory that is no storage. */
  readonly storage: string | null;
  /** Null: on all of them. */
  readonly node: string | null;
  readonly mode: string;
  takes(guest: Pick<VeGuest, 'vmid' | 'stats'>): boolean;
}

/** What vzdump writes to where a job names nothing. */
const DEFAULT_STORAGE = 'local';

const listOf = (text: string | undefined): ReadonlySet<string> =>
  new Set((text ?? '').split(/[,;\s]+/).filter((part) => part !== ''));

/** A list with a job that is not understood, or that is empty for the first time, covers nobody knows whom. */
export const readBackupJobs = async (
  ask: ProxmoxReader,
  state: SourceState,
): Promise<ProxmoxRead<readonly BackupJob[]>> => {
  const read = await ask.list('/cluster/backup', jobItem);
  if (!read.ok) return read;
  const { dropped, droppedBecause, items } = read.value;
  if (dropped > 0)
    return { ok: false, failure: malformed(`${dropped} backup jobs are not understood: ${droppedBecause}`) };
  if (isDoubtful(state, 'backup-jobs', items.length)) {
    return {
      ok: false,
      failure: malformed('there are no backup jobs, where there were some: not believed the first time'),
    };
  }
  const jobs = read.value.items.filter(({ type }) => type === undefined || type === 'vzdump');
  return { ok: true, value: jobs.slice(0, proxmoxVeLimits.jobs).map(toJob) };
};

const toJob = (item: z.infer<typeof jobItem>): BackupJob => ({
  id: item.id,
  enabled: item.enabled ?? true,
  schedule: item.schedule ?? oldSchedule(item.dow, item.starttime),
  storage: item.storage ?? (item.dumpdir === undefined ? DEFAULT_STORAGE : null),
  node: item.node ?? null,
  mode: item.mode ?? 'snapshot',
  takes: takerOf(item),
});

const oldSchedule = (days: string | undefined, time: string | undefined): string | null =>
  time === undefined ? null : days === undefined || days === '' ? time : `${days} ${time}`;

/** The pool goes before the list, the list before "all" (PVE/VZDump.pm, get_included_guests). */
const takerOf = (item: z.infer<typeof jobItem>): BackupJob['takes'] => {
  const listed = listOf(item.vmid);
  const excluded = listOf(item.exclude);
  const onNode = (node: string): boolean => item.node === undefined || item.node === node;
  return ({ vmid, stats }) => {
    if (!onNode(stats.node)) return false;
    if (item.pool !== undefined && item.pool !== '') return stats.pool === item.pool;
    if (listed.size > 0) return listed.has(vmid);
    return item.all === true && !excluded.has(vmid);
  };
};
