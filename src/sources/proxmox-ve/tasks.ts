/** The newest tasks of the cluster: what works on a guest now, and what stopped it. */
import { z } from 'zod';
import { figure, text } from '../proxmox/answer-fields.ts';
import type { ProxmoxReader } from '../proxmox/proxmox-reader.ts';
import type { Rights } from '../proxmox/rights.ts';

export const taskItem = z.looseObject({
  upid: z.string().min(1).max(512),
  node: z.string().max(128),
  type: z.string().max(64),
  id: text,
  starttime: figure,
  endtime: figure,
  /** `OK`, `WARNINGS: 3`, or what went wrong; absent while it runs. */
  status: text,
});
export type TaskItem = z.infer<typeof taskItem>;

export interface RecentTasks {
  /** False: other users' tasks are not shown to this token, or the list could not be read. */
  readonly areAllSeen: boolean;
  readonly items: readonly TaskItem[];
}

const NO_TASKS: RecentTasks = { areAllSeen: false, items: [] };

export const isRunning = ({ endtime, status }: TaskItem): boolean => endtime === undefined && status === undefined;

/** Running ones, and of each node the newest that ended. */
export const readRecentTasks = async (ask: ProxmoxReader, rights: Rights): Promise<RecentTasks> => {
  const read = await ask.list('/cluster/tasks', taskItem);
  if (!read.ok) return NO_TASKS;
  return { areAllSeen: rights.has('/', 'Sys.Audit') && read.value.dropped === 0, items: read.value.items };
};
