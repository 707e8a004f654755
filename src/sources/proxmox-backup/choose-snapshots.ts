/** Which snapshots are listed in a survey, and how: group by group, or a whole namespace at once. Pure. */
import type { GroupEntry } from './group-memory.ts';
import { proxmoxBackupLimits } from './proxmox-backup-limits.ts';

export interface SnapshotQuestion {
  readonly groups: ReadonlyMap<string, GroupEntry>;
  /** False: only what looks suspect, as between patrols. */
  readonly isPatrol: boolean;
  /** When the last verification of the datastore ended; 0: none is known. */
  readonly verifiedAtS: number;
  readonly nowS: number;
  /** How many lists of single groups are left in this survey. */
  readonly listsLeft: number;
}

export type SnapshotPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole' }
  /** `left`: due as well, and never listed so far. */
  | { readonly kind: 'groups'; readonly groups: readonly string[]; readonly left: number };

const isUnknown = ({ r, d }: GroupEntry): boolean => r === undefined || d === true;

/** What is not complete may be the newest of several; nothing else tells which one is. */
const isSuspect = (entry: GroupEntry): boolean => !entry.f && isUnknown(entry);

const isDue = (entry: GroupEntry, { verifiedAtS, nowS }: SnapshotQuestion): boolean => {
  const { r = 0, x = [] } = entry;
  if (isUnknown(entry) || x.length > 0) return true;
  return verifiedAtS >= r || nowS - r >= proxmoxBackupLimits.rereadMs / 1000 || r > nowS;
};

export const chooseSnapshots = (question: SnapshotQuestion): SnapshotPlan => {
  const { groups, isPatrol, listsLeft } = question;
  const due = [...groups]
    .filter(([, entry]) => (isPatrol ? isDue(entry, question) : isSuspect(entry)))
    .toSorted(([, a], [, b]) => Number(a.f) - Number(b.f) || (a.r ?? 0) - (b.r ?? 0));
  if (due.length === 0) return { kind: 'none' };
  const total = [...groups.values()].reduce((sum, { c }) => sum + c, 0);
  const fewEnough = due.length <= proxmoxBackupLimits.groupListsPerNamespace;
  if (!fewEnough && total <= proxmoxBackupLimits.snapshotsPerList) return { kind: 'whole' };
  const left = due.slice(listsLeft).filter(([, { r }]) => r === undefined).length;
  return { kind: 'groups', groups: due.slice(0, listsLeft).map(([key]) => key), left };
};
