/** Storage replication: whether the last run of each job went well, and when the next ones are due. */
import { z } from 'zod';
import { cleanText } from '../../../runtime/text.ts';
import { figure, flag, identifier, text } from '../../proxmox/answer-fields.ts';
import { createDueTimes, type DueTimes } from '../../proxmox/calendar-event/due-times.ts';
import { isDue } from '../../proxmox/due.ts';
import { apiPath } from '../../proxmox/proxmox-reader.ts';
import { isDoubtful } from '../emptied.ts';
import type { VeGuest, VeNode } from '../estate.ts';
import { nodeTimeZone } from '../node-clocks.ts';
import { proxmoxVeLimits } from '../proxmox-ve-limits.ts';
import type { VeArea, VeWorld } from '../world.ts';

const jobItem = z.looseObject({
  id: z.string().min(1).max(64),
  guest: identifier,
  target: z.string().max(128),
  schedule: text,
  disable: flag,
  remove_job: text,
});
type JobItem = z.infer<typeof jobItem>;

/** Times are seconds, 0: never. `pid` is there while it runs. */
const stateItem = z.looseObject({
  id: z.string(),
  last_sync: figure,
  last_try: figure,
  fail_count: figure,
  error: text,
  pid: figure,
});
type StateItem = z.infer<typeof stateItem>;

/** Where a job names no schedule (PVE/ReplicationState.pm). */
const DEFAULT_SCHEDULE = '*/15';
const STATE_KEY = 'replicated-guests';

export const replicationArea: VeArea = {
  name: 'replication',
  read: async (world) => {
    const { ask, estate, out, state } = world;
    const known = new Set(z.array(z.string()).safeParse(state.get(STATE_KEY)).data ?? []);
    const guests = new Map(estate.guests.map((guest) => [guest.vmid, guest]));
    if (!isDue(world, 'hourly')) {
      leave(world, known, guests, 'not_due', 'replication is looked at once an hour');
      return;
    }
    const read = await ask.list('/cluster/replication', jobItem);
    if (!read.ok) {
      leave(world, known, guests, read.failure.code, read.failure.reason);
      return;
    }
    if (read.value.dropped > 0 || isDoubtful(state, 'replication-jobs', read.value.items.length)) {
      leave(world, known, guests, 'empty', 'replication jobs are missing from their list: not believed the first time');
      return;
    }
    const jobs = read.value.items.filter(({ remove_job: removing }) => removing === undefined);
    const byNode = Map.groupBy(jobs, ({ guest }) => guests.get(guest)?.stats.node ?? '');
    const due = createDueTimes();
    await Promise.all(estate.nodes.map((node) => readNode(world, node, byNode.get(node.name) ?? [], guests, due)));
    state.set(
      STATE_KEY,
      jobs.map(({ guest }) => guest),
    );
    for (const { guest } of jobs) {
      const ref = guests.get(guest)?.ref;
      if (ref !== undefined) out.expect(ref, 'replication');
    }
  },
};

/** What is known of those that have jobs stays as it was. */
const leave = (
  { out }: VeWorld,
  known: ReadonlySet<string>,
  guests: ReadonlyMap<string, VeGuest>,
  code: 'not_due' | Parameters<VeWorld['out']['gap']>[0]['code'],
  reason: string,
): void => {
  for (const vmid of known) {
    const ref = guests.get(vmid)?.ref;
    if (ref === undefined) continue;
    out.expect(ref, 'replication');
    out.gap({ ref, reads: ['replication'], code, reason });
  }
};

const readNode = async (
  world: VeWorld,
  node: VeNode,
  jobs: readonly JobItem[],
  guests: ReadonlyMap<string, VeGuest>,
  due: DueTimes,
): Promise<void> => {
  if (jobs.length === 0 || node.online === false) return;
  const { ask, clock, out } = world;
  const read = await ask.list(apiPath('nodes', node.name, 'replication'), stateItem);
  const states = new Map(read.ok ? read.value.items.map((item) => [item.id, item] as const) : []);
  const zone = nodeTimeZone(world, node) ?? 'UTC';
  for (const job of jobs) {
    const ref = guests.get(job.guest)?.ref;
    const state = states.get(job.id);
    if (ref === undefined) continue;
    if (state === undefined) {
      const reason = read.ok ? `node ${node.name} does not tell of replication job ${job.id}` : read.failure.reason;
      out.gap({ ref, reads: ['replication'], code: read.ok ? 'empty' : read.failure.code, reason });
      continue;
    }
    out.read(ref, readingOf(job, state, zone, due), clock.nowMs());
  }
};

const instant = (seconds: number | undefined): number | null =>
  seconds === undefined || seconds <= 0 ? null : seconds * 1000;

const readingOf = (job: JobItem, state: StateItem, zone: string, due: DueTimes) => {
  const lastSyncAtMs = instant(state.last_sync);
  const schedule = job.schedule === undefined || job.schedule === '' ? DEFAULT_SCHEDULE : job.schedule;
  return {
    kind: 'replication' as const,
    job: cleanText(job.id, 64),
    target: cleanText(job.target, proxmoxVeLimits.nameLength),
    enabled: job.disable !== true,
    running: state.pid !== undefined,
    lastSyncAtMs,
    lastTryAtMs: instant(state.last_try),
    failCount: state.fail_count ?? 0,
    error: state.error === undefined ? null : cleanText(state.error, proxmoxVeLimits.reasonLength),
    dueAtMs: lastSyncAtMs === null ? null : due.after(schedule, lastSyncAtMs, zone),
  };
};
