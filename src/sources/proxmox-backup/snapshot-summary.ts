/** What the snapshots of one group come to. Pure. */
import type { SnapshotItem } from './answers.ts';
import type { GroupEntry } from './group-memory.ts';
import { proxmoxBackupLimits } from './proxmox-backup-limits.ts';

export const groupKeyOf = (item: { readonly 'backup-type': string; readonly 'backup-id': string }): string =>
  `${item['backup-type']}/${item['backup-id']}`;

const isComplete = ({ size }: SnapshotItem): boolean => size !== undefined;

/** A snapshot that is not complete was never verified, and says nothing. */
export const summarise = (
  entry: Pick<GroupEntry, 'l' | 'f' | 'c'>,
  snapshots: readonly SnapshotItem[],
  readAtS: number,
): GroupEntry => {
  const complete = snapshots.filter(isComplete).toSorted((a, b) => b['backup-time'] - a['backup-time']);
  const stateOf = ({ verification }: SnapshotItem): string => verification?.state ?? '';
  const failed = complete.filter((one) => stateOf(one) === 'failed').map((one) => one['backup-time']);
  const verified = complete.filter((one) => stateOf(one) === 'ok').length;
  const [newest] = complete;
  return {
    l: entry.l,
    f: entry.f,
    c: entry.c,
    r: readAtS,
    ...(newest === undefined ? {} : { g: newest['backup-time'] }),
    v: verified,
    u: complete.length - verified - failed.length,
    p: complete.filter((one) => one.protected === true).length,
    ...(failed.length === 0 ? {} : { x: failed.slice(0, proxmoxBackupLimits.failedPerGroup) }),
  };
};

/**
 * Start of the newest complete snapshot in seconds; null: there is none; undefined: its snapshots have to be listed. With
 * one beside it that is not complete, the list of groups may tell of an older one than the newest.
 */
export const newestGoodS = ({ l, f, r, d, g }: GroupEntry): number | null | undefined => {
  const listed = r === undefined || d === true ? undefined : (g ?? null);
  return f ? Math.max(l, listed ?? 0) : listed;
};
