/** Tasks that run, and those that did not end well. One question: what went well speaks through what it left. */
import { z } from 'zod';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import { type TaskItem, taskItem } from './answers.ts';
import type { Asking } from './asking.ts';
import { proxmoxBackupLimits } from './proxmox-backup-limits.ts';

export interface BackupTasks {
  /** Null: they were not asked for in this survey. */
  readonly failure: { readonly code: 'failed'; readonly reason: string } | null;
  readonly areRead: boolean;
  /** False: other users' tasks are not shown, or there were more than fit. */
  readonly areAllSeen: boolean;
  readonly running: readonly TaskItem[];
  /** Newest first. */
  readonly failed: readonly TaskItem[];
}

export const NO_TASKS: BackupTasks = { failure: null, areRead: false, areAllSeen: false, running: [], failed: [] };

/** `OK` and `WARNINGS: 3` are a good end. */
export const wentWell = (status: string): boolean => status === 'OK' || status.startsWith('WARNINGS');

const SINCE_KEY = 'tasks-since';

/** `errors` leaves out what is `OK`, and nothing else: what runs has no state yet. */
export const readTasks = async ({ ask, clock, rights, state }: Asking): Promise<BackupTasks> => {
  const nowMs = clock.nowMs();
  const backMs = nowMs - proxmoxBackupLimits.tasksBackMs;
  // A task may have begun long before it failed: it is told by its start, so that a day is looked at twice.
  const sinceMs = Math.max(backMs, (z.number().safeParse(state.get(SINCE_KEY)).data ?? 0) - 86_400_000);
  const read = await ask.list(apiPath('nodes', 'localhost', 'tasks'), taskItem, {
    errors: 1,
    typefilter: 'backup',
    since: Math.floor(sinceMs / 1000),
    limit: proxmoxBackupLimits.tasks,
  });
  if (!read.ok) return { ...NO_TASKS, failure: { code: 'failed', reason: read.failure.reason } };
  const items = read.value.items.filter(({ worker_type }) => worker_type === 'backup');
  const isWhole = read.value.dropped === 0 && read.value.items.length < proxmoxBackupLimits.tasks;
  const areAllSeen = isWhole && rights.has('/system/tasks', 'Sys.Audit');
  if (areAllSeen) state.set(SINCE_KEY, nowMs);
  return {
    failure: null,
    areRead: true,
    areAllSeen,
    running: items.filter(({ endtime, status }) => endtime === undefined && status === undefined),
    failed: items.filter(({ endtime, status = '' }) => endtime !== undefined && status !== '' && !wentWell(status)),
  };
};

export interface TaskGroup {
  readonly store: string;
  /** Null: the id does not tell; servers up to version 4 leave it out. */
  readonly namespace: string | null;
  /** `vm/100`. */
  readonly group: string;
}

/** `store1:vm/100`, or with a namespace between. */
const WORKER_ID = /^([^:]+):(?:(.+):)?((?:vm|ct|host)\/[^/:]+)$/;

export const groupOfTask = ({ worker_id = '' }: Pick<TaskItem, 'worker_id'>): TaskGroup | null => {
  const [, store, namespace, group] = WORKER_ID.exec(worker_id) ?? [];
  return store === undefined || group === undefined ? null : { store, namespace: namespace ?? null, group };
};
