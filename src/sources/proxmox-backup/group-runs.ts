/** Backups that failed or are under way, by group. */
import { z } from 'zod';
import type { BackupRun } from '../../../signals/reading.ts';
import { redactSecrets } from '../../runtime/redact-secrets.ts';
import { cleanText } from '../../runtime/text.ts';
import type { SourceState } from '../source.ts';
import type { StoreMemory } from './group-memory.ts';
import { proxmoxBackupLimits } from './proxmox-backup-limits.ts';
import { type BackupTasks, groupOfTask } from './tasks.ts';

export interface GroupRuns {
  isRunning(place: string): boolean;
  /** The newest run that is known to have failed. */
  failed(place: string): BackupRun | null;
}

const failureSchema = z.record(
  z.string(),
  z.object({ startedAtMs: z.number(), endedAtMs: z.number(), reason: z.string().nullable() }),
);
type Failures = z.infer<typeof failureSchema>;

const STATE_KEY = 'failures';

export const placeOf = (store: string, namespace: string, group: string): string => `${store}:${namespace}:${group}`;

/** Most servers leave the namespace out of the task's id: then only one that alone holds such a group is meant. */
const placesOf = (memories: ReadonlyMap<string, StoreMemory>, task: Parameters<typeof groupOfTask>[0]) => {
  const named = groupOfTask(task);
  if (named === null) return [];
  const { store, namespace, group } = named;
  if (namespace !== null) return [placeOf(store, namespace, group)];
  return [...(memories.get(store) ?? [])].flatMap(([own, { groups }]) =>
    groups.has(group) ? [placeOf(store, own, group)] : [],
  );
};

/** What failed is kept until something good came after it, however long the server keeps its tasks. */
export const readGroupRuns = (
  state: SourceState,
  tasks: BackupTasks,
  memories: ReadonlyMap<string, StoreMemory>,
  newestGoodMs: ReadonlyMap<string, number | null>,
): GroupRuns => {
  const before = failureSchema.safeParse(state.get(STATE_KEY)).data ?? {};
  const failures = new Map(Object.entries(before));
  for (const task of tasks.failed) {
    const [place, ...others] = placesOf(memories, task);
    if (place === undefined || others.length > 0 || task.endtime === undefined) continue;
    const startedAtMs = task.starttime * 1000;
    if (startedAtMs <= (failures.get(place)?.startedAtMs ?? 0)) continue;
    const reason = cleanText(redactSecrets(task.status ?? ''), proxmoxBackupLimits.reasonLength);
    failures.set(place, { startedAtMs, endedAtMs: task.endtime * 1000, reason: reason === '' ? null : reason });
  }
  const open: Failures = {};
  for (const [place, failure] of failures) {
    const goodAtMs = newestGoodMs.get(place);
    // Of a group that was not listed in this survey nothing is forgotten.
    if (goodAtMs === undefined || goodAtMs === null || goodAtMs < failure.startedAtMs) open[place] = failure;
  }
  state.set(STATE_KEY, Object.fromEntries(Object.entries(open).slice(-proxmoxBackupLimits.tasks)));
  const running = new Set(tasks.running.flatMap((task) => placesOf(memories, task)));
  return {
    isRunning: (place) => running.has(place),
    failed: (place) => {
      const failure = open[place];
      return failure === undefined ? null : { ...failure, outcome: 'failed', leftArchive: false };
    },
  };
};
