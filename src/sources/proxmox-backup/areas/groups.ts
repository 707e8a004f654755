/** Groups of backups: what there is of each guest, what failed, and whether it was found intact. */
import pLimit from 'p-limit';
import type { BackupRun, ReadingKind } from '../../../../signals/reading.ts';
import type { ResourceKind } from '../../../../signals/resource.ts';
import { cleanText } from '../../../runtime/text.ts';
import { isDue } from '../../proxmox/due.ts';
import { BACKUP_TYPES, type BackupType } from '../answers.ts';
import type { BackupStore } from '../backup-store.ts';
import { type GroupEntry, keepGroups, recallGroups, type StoreMemory } from '../group-memory.ts';
import { type GroupRuns, placeOf, readGroupRuns } from '../group-runs.ts';
import { groupNames, targetOf } from '../identity-keys.ts';
import { type ListedNamespace, listStore } from '../list-groups.ts';
import { proxmoxBackupLimits } from '../proxmox-backup-limits.ts';
import { newestGoodS } from '../snapshot-summary.ts';
import { verificationOf } from '../verification.ts';
import type { PbsArea, PbsWorld } from '../world.ts';

const READS: readonly ReadingKind[] = ['backup', 'backup_verification'];
const TARGET_LENGTH = 400;

export const groupsArea: PbsArea = {
  name: 'groups',
  read: async (world) => {
    const { out, state, stores, tasks } = world;
    const memories = new Map(stores.map(({ name }) => [name, recallGroups(state, name)] as const));
    const open = stores.filter(({ closed }) => closed === null);
    for (const { ref } of open) out.expect(ref, 'backup_verification');
    for (const store of stores) if (store.closed !== null) replay(world, store, memories.get(store.name) ?? new Map());
    if (!isDue(world, 'hourly')) {
      for (const store of open) claimAll(world, store, memories.get(store.name) ?? new Map());
      out.gap({ ref: null, reads: READS, code: 'not_due', reason: 'groups of backups are listed once an hour' });
      return;
    }
    const listed = await listAll(world, open, memories);
    const newestGoodMs = newestOf(listed);
    const runs = readGroupRuns(state, tasks, memoriesOf(listed, memories), newestGoodMs);
    if (tasks.failure !== null) out.gap({ ref: null, reads: ['backup'], ...tasks.failure });
    for (const [store, namespaces] of listed) tellStore(world, store, namespaces, runs);
  },
};

type Listed = ReadonlyMap<BackupStore, readonly ListedNamespace[]>;

const listAll = async (
  world: PbsWorld,
  stores: readonly BackupStore[],
  memories: ReadonlyMap<string, StoreMemory>,
): Promise<Listed> => {
  const inTurn = pLimit(proxmoxBackupLimits.listsAtOnce);
  const budget = {
    left: proxmoxBackupLimits.groupListsPerSurvey,
    whole: pLimit(1),
    untilMs: world.clock.nowMs() + proxmoxBackupLimits.snapshotListsMs,
  };
  const lists = await Promise.all(
    stores.map((store) =>
      inTurn(
        async () => [store, await listStore(world, store, memories.get(store.name) ?? new Map(), budget)] as const,
      ),
    ),
  );
  for (const [{ name }, namespaces] of lists) {
    keepGroups(world.state, name, new Map(namespaces.map(({ namespace, memory }) => [namespace, memory])));
  }
  return new Map(lists);
};

const memoriesOf = (listed: Listed, before: ReadonlyMap<string, StoreMemory>): ReadonlyMap<string, StoreMemory> => {
  const now = [...listed].map(
    ([{ name }, namespaces]) =>
      [name, new Map(namespaces.map(({ namespace, memory }) => [namespace, memory]))] as const,
  );
  return new Map([...before, ...now]);
};

const newestOf = (listed: Listed): ReadonlyMap<string, number | null> => {
  const newest = new Map<string, number | null>();
  for (const [{ name }, namespaces] of listed) {
    for (const { namespace, memory, groupsUnread } of namespaces) {
      if (groupsUnread !== null) continue;
      for (const [group, entry] of memory.groups) {
        const goodS = newestGoodS(entry);
        if (goodS !== undefined) newest.set(placeOf(name, namespace, group), goodS === null ? null : goodS * 1000);
      }
    }
  }
  return newest;
};

const refOf = (store: BackupStore, namespace: string, group: string): string =>
  `group:${placeOf(store.name, namespace, group)}`;

const KINDS: Readonly<Record<BackupType, ResourceKind>> = { vm: 'vm', ct: 'container', host: 'host' };

/** It says nothing of the guest but what backups there are of it. */
const claimGroup = ({ out, server }: PbsWorld, store: BackupStore, namespace: string, group: string): string => {
  const ref = refOf(store, namespace, group);
  const slash = group.indexOf('/');
  const type = BACKUP_TYPES.find((known) => known === group.slice(0, slash)) ?? 'host';
  out.claim({
    ref,
    kind: KINDS[type],
    name: cleanText(group, proxmoxBackupLimits.nameLength),
    parentRef: store.ref,
    keys: [],
    attachesTo: groupNames(server, { datastore: store.name, namespace, type, id: group.slice(slash + 1) }),
    expects: ['backup'],
  });
  return ref;
};

const claimAll = (world: PbsWorld, store: BackupStore, memory: StoreMemory): readonly string[] =>
  [...memory].flatMap(([namespace, { groups }]) =>
    [...groups.keys()].map((group) => claimGroup(world, store, namespace, group)),
  );

/** What can't be looked into is there all the same. */
const replay = (world: PbsWorld, store: BackupStore, memory: StoreMemory): void => {
  const { code, reason } = store.closed ?? { code: 'failed' as const, reason: 'it can not be looked into' };
  for (const ref of claimAll(world, store, memory)) world.out.gap({ ref, reads: ['backup'], code, reason });
};

const tellStore = (
  world: PbsWorld,
  store: BackupStore,
  namespaces: readonly ListedNamespace[],
  runs: GroupRuns,
): void => {
  const { clock, config, out, server } = world;
  const isPatrol = isDue(world, 'daily');
  let snapshots = 0;
  for (const { namespace, memory, groupsUnread, snapshotsUnread } of namespaces) {
    const target = cleanText(targetOf(server, config, store.name, namespace), TARGET_LENGTH);
    for (const [group, entry] of memory.groups) {
      snapshots += entry.c;
      const ref = claimGroup(world, store, namespace, group);
      if (groupsUnread !== null) out.gap({ ref, reads: ['backup'], ...groupsUnread });
      else readBackup(world, { ref, target, entry, place: placeOf(store.name, namespace, group) }, runs);
    }
    if (snapshotsUnread !== null) out.gap({ ref: store.ref, reads: ['backup_verification'], ...snapshotsUnread });
    else if (isPatrol) out.read(store.ref, verificationOf(target, memory), clock.nowMs());
  }
  const groups = namespaces.reduce((sum, { memory }) => sum + memory.groups.size, 0);
  out.facts(store.ref, { backupGroups: groups, backupSnapshots: snapshots, namespaces: namespaces.length });
  if (isPatrol) return;
  const reason = 'verifications are read at patrols and once a day';
  out.gap({ ref: store.ref, reads: ['backup_verification'], code: 'not_due', reason });
};

interface GroupLook {
  readonly ref: string;
  readonly target: string;
  readonly entry: GroupEntry;
  readonly place: string;
}

const readBackup = (world: PbsWorld, { ref, target, entry, place }: GroupLook, runs: GroupRuns): void => {
  const { clock, out } = world;
  const goodS = newestGoodS(entry);
  if (goodS === undefined) {
    const reason = 'its newest backup is not complete, and older ones could not be listed';
    out.gap({ ref, reads: ['backup'], code: 'cut_short', reason });
    return;
  }
  const running = runs.isRunning(place);
  out.read(
    ref,
    {
      kind: 'backup',
      target,
      job: null,
      newestGoodAtMs: goodS === null ? null : goodS * 1000,
      lastRun: lastRunOf(world, entry, running, runs.failed(place)),
      running,
      schedule: null,
      coveredByJob: null,
      resourceSinceMs: null,
      archivesOnly: true,
    },
    clock.nowMs(),
  );
};

/** A task that failed; or a backup that was begun, is not complete, and that nothing works on. */
const lastRunOf = (
  { clock, tasks }: PbsWorld,
  { l, f }: GroupEntry,
  running: boolean,
  failed: BackupRun | null,
): BackupRun | null => {
  const startedAtMs = l * 1000;
  const isGivenUp =
    !f && !running && (tasks.areAllSeen || clock.nowMs() - startedAtMs > proxmoxBackupLimits.unfinishedMs);
  if (!isGivenUp || (failed !== null && (failed.startedAtMs ?? 0) >= startedAtMs)) return failed;
  const reason = 'it was begun and is not complete, and nothing works on it';
  return { startedAtMs, endedAtMs: startedAtMs, outcome: 'failed', leftArchive: false, reason };
};
