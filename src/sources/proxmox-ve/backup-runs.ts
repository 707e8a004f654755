/** Finished backup tasks that did not end well: which guest they failed, on which storage. */
import { z } from 'zod';
import { text } from '../proxmox/answer-fields.ts';
import type { ProxmoxFailure } from '../proxmox/proxmox-failure.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import { type BackupLog, readBackupLog } from './backup-log.ts';
import type { VeNode } from './estate.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';
import { isRunning, type TaskItem, taskItem } from './tasks.ts';
import type { VeWorld } from './world.ts';

const failedRun = z.object({
  vmid: z.string(),
  storage: z.string(),
  node: z.string(),
  startedAtMs: z.number(),
  endedAtMs: z.number(),
  reason: z.string().nullable(),
});
export type FailedRun = Readonly<z.infer<typeof failedRun>>;

export interface BackupRuns {
  readonly failed: readonly FailedRun[];
  /** Of the tasks of a node, the median; absent: none ended lately. */
  readonly usualDurationMs: ReadonlyMap<string, number>;
  /** Nodes whose tasks could not be read. */
  readonly unread: ReadonlyMap<string, ProxmoxFailure>;
}

const logLine = z.looseObject({ t: text });
const keptLog = z.object({
  storage: z.string().nullable(),
  begun: z.array(z.string()),
  finished: z.array(z.string()),
  failed: z.record(z.string(), z.string()),
});
const LOGS_KEY = 'backup-logs';
const FAILED_KEY = 'backup-failures';

export const wentWell = ({ status = '' }: TaskItem): boolean => status === 'OK' || status.startsWith('WARNINGS');

export const readBackupRuns = async (world: VeWorld): Promise<BackupRuns> => {
  const { estate } = world;
  const unread = new Map<string, ProxmoxFailure>();
  const usual = new Map<string, number>();
  const tasks: TaskItem[] = [];
  const online = estate.nodes.filter(({ online: isOnline }) => isOnline !== false);
  await Promise.all(
    online.map(async (node) => {
      const read = await readTasks(world, node);
      if (!read.ok) return void unread.set(node.name, read.failure);
      const ended = read.value.items.filter((task) => task.type === 'vzdump' && !isRunning(task));
      const median = medianDurationMs(ended.filter(wentWell));
      if (median !== null) usual.set(node.name, median);
      tasks.push(...ended);
    }),
  );
  const failed = remembered(world, await readFailures(world, tasks, unread));
  return { failed, usualDurationMs: usual, unread };
};

/** A run that failed has failed, whether or not its node still tells of it. */
const remembered = ({ clock, state }: VeWorld, found: readonly FailedRun[]): readonly FailedRun[] => {
  const sinceMs = clock.nowMs() - proxmoxVeLimits.tasksBackMs;
  const before = z.array(failedRun).safeParse(state.get(FAILED_KEY)).data ?? [];
  const byKey = new Map([...before, ...found].map((run) => [`${run.vmid}/${run.storage}/${run.endedAtMs}`, run]));
  const failed = [...byKey.values()]
    .filter(({ endedAtMs }) => endedAtMs >= sinceMs)
    .sort((a, b) => b.endedAtMs - a.endedAtMs)
    .slice(0, proxmoxVeLimits.failedRuns);
  state.set(FAILED_KEY, failed);
  return failed;
};

const readTasks = ({ ask, clock }: VeWorld, { name }: VeNode) =>
  ask.list(apiPath('nodes', name, 'tasks'), taskItem, {
    typefilter: 'vzdump',
    since: Math.floor((clock.nowMs() - proxmoxVeLimits.tasksBackMs) / 1000),
    limit: proxmoxVeLimits.tasksPerNode,
  });

const medianDurationMs = (tasks: readonly TaskItem[]): number | null => {
  const durations = tasks
    .flatMap(({ starttime, endtime }) =>
      starttime === undefined || endtime === undefined ? [] : [endtime - starttime],
    )
    .sort((a, b) => a - b);
  const middle = durations[Math.floor(durations.length / 2)];
  return middle === undefined ? null : middle * 1000;
};

/** A finished task's log never changes: each is read once. */
const readFailures = async (
  world: VeWorld,
  tasks: readonly TaskItem[],
  unread: Map<string, ProxmoxFailure>,
): Promise<readonly FailedRun[]> => {
  const bad = tasks
    .filter((task) => !wentWell(task) && task.endtime !== undefined)
    .toSorted((a, b) => (b.starttime ?? 0) - (a.starttime ?? 0))
    .slice(0, proxmoxVeLimits.taskLogsPerSurvey);
  const kept = new Map(Object.entries(z.record(z.string(), keptLog).safeParse(world.state.get(LOGS_KEY)).data ?? {}));
  const logs = new Map<string, BackupLog>();
  const runs = await Promise.all(
    bad.map(async (task) => {
      const log = kept.get(task.upid) ?? (await readLog(world, task));
      if ('reason' in log) {
        unread.set(task.node, log);
        return [];
      }
      logs.set(task.upid, log);
      return failuresOf(task, log);
    }),
  );
  world.state.set(LOGS_KEY, Object.fromEntries(logs));
  return runs.flat();
};

const readLog = async ({ ask }: VeWorld, { node, upid }: TaskItem): Promise<BackupLog | ProxmoxFailure> => {
  const path = apiPath('nodes', node, 'tasks', upid, 'log');
  const read = await ask.list(path, logLine, { limit: proxmoxVeLimits.taskLogLines, start: 0 });
  return read.ok ? readBackupLog(read.value.items.map(({ t = '' }) => t)) : read.failure;
};

/** Whoever was begun and is not finished has no archive of it, whatever the words about it are. */
const failuresOf = (task: TaskItem, log: BackupLog): readonly FailedRun[] => {
  const finished = new Set(log.finished);
  const broken = new Set([...Object.keys(log.failed), ...log.begun.filter((vmid) => !finished.has(vmid))]);
  const { storage } = log;
  if (storage === null) return [];
  return [...broken].map((vmid) => ({
    vmid,
    storage,
    node: task.node,
    startedAtMs: (task.starttime ?? 0) * 1000,
    endedAtMs: (task.endtime ?? 0) * 1000,
    reason: log.failed[vmid] ?? null,
  }));
};
