/** Jobs that keep datastores in order: garbage collection, pruning, verification, syncing. */
import type { Gap } from '../../../../signals/survey.ts';
import { createDueTimes } from '../../proxmox/calendar-event/due-times.ts';
import { isDue } from '../../proxmox/due.ts';
import type { ProxmoxRead } from '../../proxmox/proxmox-failure.ts';
import type { ProxmoxList } from '../../proxmox/proxmox-reader.ts';
import { type JobItem, jobItem } from '../answers.ts';
import { type KeptJob, keepJobs, recallJobs } from '../job-memory.ts';
import { readJob, type UpkeepAction } from '../job-run.ts';
import { proxmoxBackupLimits } from '../proxmox-backup-limits.ts';
import { learnName } from '../server.ts';
import type { PbsArea, PbsWorld } from '../world.ts';

export const upkeepArea: PbsArea = {
  name: 'upkeep',
  read: async (world) => {
    const { out, stores } = world;
    for (const { ref } of stores) out.expect(ref, 'upkeep');
    if (!isDue(world, 'hourly')) {
      for (const { ref } of stores) {
        out.gap({ ref, reads: ['upkeep'], code: 'not_due', reason: 'jobs are listed once an hour' });
      }
      return;
    }
    const lists = await Promise.all(ACTIONS.map(async (action) => ({ action, read: await readList(world, action) })));
    tell(world, lists);
  },
};

const ACTIONS: readonly UpkeepAction[] = ['gc', 'prune', 'verify', 'sync'];

interface Listed {
  readonly action: UpkeepAction;
  readonly read: ProxmoxRead<ProxmoxList<JobItem>>;
}

const readList = (world: PbsWorld, action: UpkeepAction): Listed['read'] | Promise<Listed['read']> =>
  world.ask.list(
    `/admin/${action}`,
    jobItem,
    action === 'sync' && tellsDirections(world) ? { 'sync-direction': 'all' } : {},
  );

/** Since version 3.3 there are sync jobs that push; older ones refuse a parameter that they don't know. */
const tellsDirections = ({ host }: PbsWorld): boolean => {
  const [major = 0, minor = 0] = (host.version ?? '').split('.').map(Number);
  return major > 3 || (major === 3 && minor >= 3);
};

const tell = (world: PbsWorld, lists: readonly Listed[]): void => {
  const { clock, out, server, state, stores } = world;
  const before = recallJobs(state);
  const kept = new Map<string, KeptJob>();
  const context = { due: createDueTimes(), timeZone: server.timeZone ?? 'UTC', nowMs: clock.nowMs() };
  const open = new Map(stores.filter(({ closed }) => closed === null).map((store) => [store.name, store.ref]));
  for (const { action, read } of lists) {
    if (!read.ok || isHidden(world, action)) {
      for (const [key, job] of before) if (key.startsWith(`${action}/`)) kept.set(key, job);
    }
    if (!read.ok) continue;
    for (const item of read.value.items.slice(0, proxmoxBackupLimits.jobs)) {
      const key = `${action}/${item.store}/${item.id ?? ''}`;
      const job = readJob(action, item, { ...context, before: before.get(key) });
      kept.set(key, job.kept);
      const ref = open.get(item.store);
      if (ref !== undefined) out.read(ref, job.reading, clock.nowMs());
    }
  }
  keepJobs(state, kept);
  learnName(
    state,
    lists.flatMap(({ read }) => (read.ok ? read.value.items.map(({ 'last-run-upid': upid }) => upid) : [])),
  );
  for (const store of stores) for (const gap of gapsOf(world, store, lists, before)) out.gap(gap);
};

/** Jobs that sync from a remote are shown to whoever may audit that. */
const isHidden = ({ rights }: PbsWorld, action: UpkeepAction): boolean =>
  action === 'sync' && !rights.hasBelow('/remote', 'Remote.Audit');

const gapsOf = (
  world: PbsWorld,
  { name, ref, closed }: PbsWorld['stores'][number],
  lists: readonly Listed[],
  before: ReadonlyMap<string, KeptJob>,
): readonly Gap[] => {
  const base = { ref, reads: ['upkeep'] } as const;
  if (closed !== null) return [{ ...base, code: closed.code, reason: closed.reason }];
  const gaps: Gap[] = lists.flatMap(({ action, read }): readonly Gap[] => {
    if (!read.ok) return [{ ...base, code: read.failure.code, reason: read.failure.reason }];
    if (read.value.dropped === 0) return [];
    return [
      {
        ...base,
        code: 'malformed',
        reason: `jobs of /admin/${action} are not understood: ${read.value.droppedBecause}`,
      },
    ];
  });
  const gc = lists.find(({ action }) => action === 'gc')?.read;
  if (gc?.ok === true && !gc.value.items.some(({ store }) => store === name)) {
    gaps.push({ ...base, code: 'empty', reason: `the server does not tell of the garbage collection of ${name}` });
  }
  const hadSync = [...before.keys()].some((key) => key.startsWith(`sync/${name}/`));
  if (hadSync && isHidden(world, 'sync')) {
    gaps.push({ ...base, code: 'failed', reason: 'sync jobs are not shown without Remote.Audit on /remote' });
  }
  return gaps;
};
