/** Archives of guests on storages: of each guest the newest that is complete. */
import { z } from 'zod';
import type { GapCode } from '../../../signals/survey.ts';
import { figure, text } from '../proxmox/answer-fields.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import { isDoubtful } from './emptied.ts';
import type { VeGuest, VeStorage } from './estate.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';
import type { VeWorld } from './world.ts';

const contentItem = z.looseObject({
  volid: z.string().min(1).max(1_024),
  vmid: text,
  ctime: figure,
  size: figure,
  content: text,
});

/** Starts of complete archives by VMID, newest first. */
export type ArchiveTimes = ReadonlyMap<string, readonly number[]>;

export type StorageArchives =
  | { readonly ok: true; readonly archives: ArchiveTimes }
  | { readonly ok: false; readonly code: GapCode; readonly reason: string };

/** What Proxmox VE writes for a backup that is still being made on a backup server. */
const UNFINISHED_BYTES = 1;
/** Of each guest so many are kept in mind: enough to tell which run left one. */
const KEPT = 5;

const mayListAll = ({ rights }: VeWorld, storage: string): boolean =>
  rights.has(`/storage/${storage}`, 'Datastore.Allocate') ||
  (rights.has(`/storage/${storage}`, 'Datastore.AllocateSpace') && rights.hasBelow('/vms', 'VM.Backup'));

/** Of one storage, on whichever nodes hold a part of it. */
export const readArchives = async (
  world: VeWorld,
  parts: readonly VeStorage[],
  guests: readonly VeGuest[],
): Promise<StorageArchives> => {
  const [first] = parts;
  if (first === undefined) return { ok: false, code: 'failed', reason: 'there is no such storage' };
  const answers = await Promise.all(
    parts.map((part) => {
      const on = part.onNodes.find(({ node, stats }) => node.online !== false && stats.status === 'available');
      if (on === undefined) {
        const reason = `${part.id} is not available on ${part.onNodes.map(({ node }) => node.name).join(', ')}`;
        return { ok: false, code: 'unreachable', reason } as const;
      }
      const path = apiPath('nodes', on.node.name, 'storage', part.id, 'content');
      return mayListAll(world, part.id) ? listAll(world, path) : listByGuest(world, path, part, guests);
    }),
  );
  const failed = answers.find((answer) => !answer.ok);
  if (failed !== undefined) return failed;
  return doubtEmpty(world, first.id, merge(answers.flatMap((answer) => (answer.ok ? [answer.archives] : []))));
};

const timesOf = (items: readonly z.infer<typeof contentItem>[]): ArchiveTimes => {
  const times = new Map<string, number[]>();
  for (const { vmid, ctime, size, content } of items) {
    if (vmid === undefined || ctime === undefined || (content !== undefined && content !== 'backup')) continue;
    if (size !== undefined && size <= UNFINISHED_BYTES) continue;
    const own = times.get(vmid) ?? [];
    times.set(vmid, own);
    own.push(ctime * 1000);
    if (own.length > 2 * KEPT) own.sort((a, b) => b - a).length = KEPT;
  }
  for (const own of times.values()) own.sort((a, b) => b - a).splice(KEPT);
  return times;
};

const listAll = async ({ ask }: VeWorld, path: string): Promise<StorageArchives> => {
  const read = await ask.list(path, contentItem, { content: 'backup' });
  if (!read.ok) return { ok: false, ...read.failure };
  if (read.value.dropped > 0) return { ok: false, code: 'malformed', reason: read.value.droppedBecause };
  return { ok: true, archives: timesOf(read.value.items) };
};

/**
 * Whoever may only audit a storage is shown no backups in its list (PVE/Storage.pm, check_volume_access), but those of
 * one guest when asked for that guest.
 */
const listByGuest = async (
  { ask }: VeWorld,
  path: string,
  { id }: VeStorage,
  guests: readonly VeGuest[],
): Promise<StorageArchives> => {
  if (guests.length > proxmoxVeLimits.backupListsByGuest) {
    const reason = `backups on ${id} are not shown to this token: give it Datastore.AllocateSpace on /storage/${id} and VM.Backup on /vms; one by one is not asked for more than ${proxmoxVeLimits.backupListsByGuest} guests`;
    return { ok: false, code: 'cut_short', reason };
  }
  const lists = await Promise.all(guests.map(({ vmid }) => ask.list(path, contentItem, { content: 'backup', vmid })));
  const failed = lists.find((list) => !list.ok);
  if (failed?.ok === false) return { ok: false, ...failed.failure };
  const items = lists.flatMap((list, index) =>
    list.ok ? list.value.items.filter(({ vmid }) => vmid === guests[index]?.vmid) : [],
  );
  return { ok: true, archives: timesOf(items) };
};

const merge = (parts: readonly ArchiveTimes[]): ArchiveTimes => {
  const [first, ...rest] = parts;
  if (first === undefined || rest.length === 0) return first ?? new Map<string, readonly number[]>();
  const all = new Map<string, readonly number[]>(first);
  for (const part of rest) {
    for (const [vmid, times] of part) {
      all.set(vmid, [...(all.get(vmid) ?? []), ...times].sort((a, b) => b - a).slice(0, KEPT));
    }
  }
  return all;
};

/** A storage whose backups are all gone at once is not believed the first time. */
const doubtEmpty = ({ state }: VeWorld, storage: string, archives: ArchiveTimes): StorageArchives => {
  if (!isDoubtful(state, `archives/${storage}`, archives.size)) return { ok: true, archives };
  const reason = `${storage} shows no backups, where there were some: not believed the first time`;
  return { ok: false, code: 'empty', reason };
};
