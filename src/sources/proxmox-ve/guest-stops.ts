/** What ended guests last, as tasks tell, kept from survey to survey. Pure. */
import { z } from 'zod';
import type { GuestStateReading } from '../../../signals/readings/guest.ts';
import { isRunning, type RecentTasks, type TaskItem } from './tasks.ts';

/** Names of task types are the program's own and are not translated. */
const STOPS: ReadonlySet<string> = new Set(['qmstop', 'qmshutdown', 'qmsuspend', 'vzstop', 'vzshutdown', 'vzsuspend']);

export const guestStopsSchema = z.object({
  /** By VMID. */
  stops: z.record(z.string(), z.object({ by: z.enum(['operator', 'backup']), atMs: z.number() })),
  /** From when on nothing was missed; null: tasks could not be seen. */
  knownSinceMs: z.number().nullable(),
  /** When the list was read last. */
  readAtMs: z.number().nullable(),
});
export type GuestStops = z.infer<typeof guestStopsSchema>;

export const NO_STOPS: GuestStops = { stops: {}, knownSinceMs: null, readAtMs: null };

export interface StopsInput {
  readonly before: GuestStops;
  readonly tasks: RecentTasks;
  /** Guests there are; the stops of others are forgotten. */
  readonly vmids: ReadonlySet<string>;
  /** By the cluster's clock. */
  readonly nowMs: number;
}

export const foldGuestStops = ({ before, tasks, vmids, nowMs }: StopsInput): GuestStops => {
  if (!tasks.areAllSeen) return { ...before, knownSinceMs: null, readAtMs: null };
  const stops = new Map<string, NonNullable<GuestStateReading['lastStop']>>(
    Object.entries(before.stops).filter(([vmid]) => vmids.has(vmid)),
  );
  for (const task of tasks.items) {
    const atMs = (task.starttime ?? 0) * 1000;
    const vmid = task.id ?? '';
    if (!STOPS.has(task.type) || !vmids.has(vmid) || atMs <= (stops.get(vmid)?.atMs ?? 0)) continue;
    stops.set(vmid, { by: isByBackup(task, tasks.items) ? 'backup' : 'operator', atMs });
  }
  const knownSinceMs = missedSinceMs(before, tasks);
  return { stops: Object.fromEntries(stops), knownSinceMs, readAtMs: nowMs };
};

/** A backup in stop mode shuts its guest down by a task of its own, while it runs itself. */
const isByBackup = (stop: TaskItem, tasks: readonly TaskItem[]): boolean =>
  tasks.some(
    (task) =>
      task.type === 'vzdump' &&
      task.node === stop.node &&
      ((task.id ?? '') === '' || task.id === stop.id) &&
      (task.starttime ?? Number.POSITIVE_INFINITY) <= (stop.starttime ?? 0) &&
      (isRunning(task) || (task.endtime ?? 0) >= (stop.starttime ?? 0)),
  );

/**
 * The list holds some twenty ended tasks of each node, from whenever they are: where a node's list is full, and its
 * oldest is newer than the last look, some were missed in between. At the first look nothing is known before it.
 */
const missedSinceMs = ({ knownSinceMs, readAtMs }: GuestStops, { items }: RecentTasks): number => {
  let sinceMs = knownSinceMs ?? 0;
  const lookedAtMs = knownSinceMs === null ? 0 : (readAtMs ?? 0);
  for (const own of Map.groupBy(items, ({ node }) => node).values()) {
    const ended = own.filter((task) => !isRunning(task));
    const oldest = oldestMs(ended);
    if (ended.length >= FULL_LIST && oldest !== null && oldest > lookedAtMs) sinceMs = Math.max(sinceMs, oldest);
  }
  return sinceMs;
};

/** pvestatd hands on 25 of a node (PVE/RPCEnvironment.pm, active_workers); a few less where several ended at once. */
const FULL_LIST = 20;

const oldestMs = (tasks: readonly TaskItem[]): number | null => {
  const starts = tasks.flatMap(({ starttime }) => (starttime === undefined ? [] : [starttime * 1000]));
  return starts.length === 0 ? null : Math.min(...starts);
};
