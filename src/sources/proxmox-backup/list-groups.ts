/** The groups of one datastore, namespace by namespace, with their snapshots where something has changed. */
import type { LimitFunction } from 'p-limit';
import type { GapCode } from '../../../signals/survey.ts';
import { isDue } from '../proxmox/due.ts';
import type { ProxmoxFailure, ProxmoxRead } from '../proxmox/proxmox-failure.ts';
import { apiPath, type ProxmoxList } from '../proxmox/proxmox-reader.ts';
import { type GroupItem, groupItem, namespaceItem, type SnapshotItem, snapshotItem } from './answers.ts';
import type { BackupStore } from './backup-store.ts';
import { chooseSnapshots } from './choose-snapshots.ts';
import type { GroupEntry, NamespaceMemory, StoreMemory } from './group-memory.ts';
import { recallJobs } from './job-memory.ts';
import { proxmoxBackupLimits } from './proxmox-backup-limits.ts';
import { groupKeyOf, summarise } from './snapshot-summary.ts';
import type { PbsWorld } from './world.ts';

export interface Unread {
  readonly code: GapCode;
  readonly reason: string;
}

export interface ListedNamespace {
  readonly namespace: string;
  readonly memory: NamespaceMemory;
  /** The groups are as remembered: they could not be listed now. */
  readonly groupsUnread: Unread | null;
  /** Some snapshots are as remembered, or were never listed. */
  readonly snapshotsUnread: Unread | null;
}

export interface ListBudget {
  /** Lists of single groups that are left in this survey. */
  left: number;
  /** Of whole namespaces one is in memory at a time. */
  readonly whole: LimitFunction;
  /** No list is begun later. */
  readonly untilMs: number;
}

const INDEX = 'index.json.blob';
const EMPTY: NamespaceMemory = { emptied: false, groups: new Map() };

export const listStore = async (
  world: PbsWorld,
  store: BackupStore,
  before: StoreMemory,
  budget: ListBudget,
): Promise<readonly ListedNamespace[]> => {
  const names = await listNamespaces(world, store);
  if (!names.ok) return [...before].map(([namespace, memory]) => unread(namespace, memory, names.failure));
  const listed: ListedNamespace[] = [];
  // One after the other, so that one answer at a time is in memory.
  for (const namespace of names.value) {
    listed.push(await listNamespace(world, store, namespace, before.get(namespace) ?? EMPTY, budget));
  }
  const cut = listed.reduce((sum, { memory }) => sum + memory.groups.size, 0) > proxmoxBackupLimits.groupsPerDatastore;
  if (!cut) return listed;
  const reason = `${store.name} has more than ${proxmoxBackupLimits.groupsPerDatastore} groups: not all of them are looked at`;
  return bounded(listed).map((one) => ({ ...one, snapshotsUnread: { code: 'cut_short', reason } }));
};

const bounded = (listed: readonly ListedNamespace[]): readonly ListedNamespace[] => {
  let left: number = proxmoxBackupLimits.groupsPerDatastore;
  return listed.map((one) => {
    const groups = new Map([...one.memory.groups].slice(0, left));
    left -= groups.size;
    return { ...one, memory: { ...one.memory, groups } };
  });
};

const unread = (namespace: string, memory: NamespaceMemory, { code, reason }: Unread): ListedNamespace => ({
  namespace,
  memory,
  groupsUnread: { code, reason },
  snapshotsUnread: { code, reason },
});

/** Servers before version 2.2 have none. */
const listNamespaces = async ({ ask }: PbsWorld, { name }: BackupStore): Promise<ProxmoxRead<readonly string[]>> => {
  const read = await ask.list(apiPath('admin', 'datastore', name, 'namespace'), namespaceItem);
  if (!read.ok) return read.failure.code === 'not_supported' ? { ok: true, value: [''] } : read;
  const names = new Set(read.value.items.map(({ ns }) => ns));
  return { ok: true, value: [...names].slice(0, proxmoxBackupLimits.namespacesPerDatastore) };
};

const inNamespace = (namespace: string): { readonly ns?: string } => (namespace === '' ? {} : { ns: namespace });

const listNamespace = async (
  world: PbsWorld,
  store: BackupStore,
  namespace: string,
  before: NamespaceMemory,
  budget: ListBudget,
): Promise<ListedNamespace> => {
  const path = apiPath('admin', 'datastore', store.name, 'groups');
  const read = await world.ask.list(path, groupItem, inNamespace(namespace), { isSlow: true });
  if (!read.ok) return unread(namespace, before, read.failure);
  const { items, dropped, droppedBecause } = read.value;
  if (dropped > 0) {
    return unread(namespace, before, { code: 'malformed', reason: `groups of ${store.name}: ${droppedBecause}` });
  }
  if (items.length === 0 && before.groups.size > 0 && !before.emptied) {
    const reason = `${store.name} shows no groups where there were ${before.groups.size}: not believed the first time`;
    return unread(namespace, { ...before, emptied: true }, { code: 'empty', reason });
  }
  const groups = new Map(items.map((item) => [groupKeyOf(item), entryOf(item, before.groups.get(groupKeyOf(item)))]));
  const failure = await listSnapshots(world, { store, namespace, groups, budget });
  return { namespace, memory: { emptied: false, groups }, groupsUnread: null, snapshotsUnread: failure };
};

/** A change stays noted until the snapshots have been listed, however many looks later that is. */
const entryOf = (item: GroupItem, before: GroupEntry | undefined): GroupEntry => {
  const l = item['last-backup'];
  const c = item['backup-count'];
  // The index is written last.
  const f = item.files === undefined || item.files.includes(INDEX);
  if (before === undefined) return { l, c, f };
  const isChanged = before.l !== l || before.c !== c || before.f !== f;
  return { ...before, l, c, f, ...(isChanged ? { d: true } : {}) };
};

interface NamespaceLook {
  readonly store: BackupStore;
  readonly namespace: string;
  /** Filled in. */
  readonly groups: Map<string, GroupEntry>;
  readonly budget: ListBudget;
}

/** Null: all that was due was read. */
const listSnapshots = async (world: PbsWorld, look: NamespaceLook): Promise<Unread | null> => {
  const { groups, budget, store } = look;
  const nowS = Math.floor(world.clock.nowMs() / 1000);
  const plan = chooseSnapshots({
    groups,
    isPatrol: isDue(world, 'daily'),
    verifiedAtS: verifiedAtS(world, store.name),
    nowS,
    listsLeft: budget.left,
  });
  if (plan.kind === 'none') return null;
  if (plan.kind === 'whole') {
    return budget.whole(async () => take(await askSnapshots(world, look, null), groups, [...groups.keys()], nowS));
  }
  budget.left -= plan.groups.length;
  const answers = await Promise.all(
    plan.groups.map(async (key) => take(await askSnapshots(world, look, key), groups, [key], nowS)),
  );
  const failure = answers.find((answer) => answer !== null);
  if (failure !== undefined) return failure;
  if (plan.left === 0) return null;
  return { code: 'cut_short', reason: `snapshots of ${plan.left} groups of ${store.name} have their turn later` };
};

const askSnapshots = async (
  { ask, clock }: PbsWorld,
  { store, namespace, budget }: NamespaceLook,
  group: string | null,
): Promise<ProxmoxRead<ProxmoxList<SnapshotItem>>> => {
  if (clock.nowMs() > budget.untilMs)
    return { ok: false, failure: cutShort(`snapshots of ${store.name} have their turn later`) };
  const [type, id] = group?.split('/') ?? [];
  const one = group === null ? {} : { 'backup-type': type, 'backup-id': id };
  const params = { ...inNamespace(namespace), ...one };
  return ask.list(apiPath('admin', 'datastore', store.name, 'snapshots'), snapshotItem, params, { isSlow: true });
};

const cutShort = (reason: string): ProxmoxFailure => ({
  code: 'cut_short',
  reason,
  status: null,
  missing: null,
  broken: false,
});

const take = (
  read: ProxmoxRead<ProxmoxList<SnapshotItem>>,
  groups: Map<string, GroupEntry>,
  keys: readonly string[],
  nowS: number,
): Unread | null => {
  if (!read.ok) return { code: read.failure.code, reason: read.failure.reason };
  const { items, dropped, droppedBecause } = read.value;
  if (dropped > 0) return { code: 'malformed', reason: droppedBecause };
  const byGroup: ReadonlyMap<string, readonly SnapshotItem[]> = Map.groupBy(items, groupKeyOf);
  for (const key of keys) {
    const entry = groups.get(key);
    const own = byGroup.get(key) ?? [];
    // One that vanished meanwhile, or whose list came short, is asked for again.
    if (entry !== undefined && own.length > 0) groups.set(key, summarise(entry, own, nowS));
  }
  return null;
};

/** By its jobs: what they verified is to be read again. */
const verifiedAtS = ({ state }: PbsWorld, store: string): number => {
  const ends = [...recallJobs(state)].flatMap(([key, { lastRun }]) =>
    key.startsWith(`verify/${store}/`) && lastRun !== null ? [lastRun.endedAtMs / 1000] : [],
  );
  return Math.max(0, ...ends);
};
