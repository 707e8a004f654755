/** Datastores that lie on one file system or pool are one capacity problem: which of them it is told of. Pure. */
import type { BackupStore } from './backup-store.ts';

/** Two disks have the same number of free bytes by chance hardly ever; what is asked within one answer differs little. */
const SAME_WITHIN = 0.0005;
const SAME_WITHIN_BYTES = 16 * 1024 * 1024;

/** By `ref`, the `ref` of the one that speaks for it: the fullest; by name where two are alike, so that it stays the same. */
export const spaceOwners = (stores: readonly BackupStore[]): ReadonlyMap<string, string> => {
  const spaces = stores
    .flatMap(({ ref, usage: { used, avail } }) =>
      used === undefined || avail === undefined || avail <= 0 ? [] : [{ ref, used, avail }],
    )
    .sort((a, b) => b.used - a.used || (a.ref < b.ref ? -1 : 1));
  const leaders: typeof spaces = [];
  const owners = new Map<string, string>();
  for (const space of spaces) {
    const leader = leaders.find(
      ({ avail }) => Math.abs(avail - space.avail) <= Math.max(SAME_WITHIN_BYTES, SAME_WITHIN * avail),
    );
    if (leader === undefined) leaders.push(space);
    owners.set(space.ref, (leader ?? space).ref);
  }
  return owners;
};
