/** Storages that share one space are one capacity problem: which of them it is told of. Pure. */
import type { VeStorage } from './estate.ts';

/** Two spaces have the same number of free bytes by chance hardly ever; statistics of one are some seconds apart. */
const SAME_WITHIN = 0.0005;
const SAME_WITHIN_BYTES = 16 * 1024 * 1024;

interface Space {
  readonly ref: string;
  readonly plugin: string;
  readonly usedBytes: number;
  readonly freeBytes: number;
}

/** Of the storages of one node: those of one plugin family that have as much free space lie on one space. */
export const spaceOwner = (storages: readonly VeStorage[]): ReadonlyMap<string, string> => {
  const owners = new Map<string, string>();
  const local = storages.filter(({ isShared }) => !isShared);
  const byNode = Map.groupBy(local, ({ onNodes }) => onNodes[0]?.node.name ?? '');
  for (const own of byNode.values()) {
    // The one that holds most speaks for all; by name where two are alike, so that it stays the same one.
    const spaces = own.flatMap(spaceOf).sort((a, b) => b.usedBytes - a.usedBytes || (a.ref < b.ref ? -1 : 1));
    const leaders: Space[] = [];
    for (const space of spaces) {
      const leader = leaders.find((other) => isSame(other, space));
      if (leader === undefined) leaders.push(space);
      owners.set(space.ref, (leader ?? space).ref);
    }
  }
  return owners;
};

const spaceOf = ({ ref, plugin, onNodes }: VeStorage): readonly Space[] => {
  const { disk, maxdisk } = onNodes[0]?.stats ?? {};
  if (disk === undefined || maxdisk === undefined || maxdisk === 0) return [];
  return [{ ref, plugin, usedBytes: disk, freeBytes: Math.max(0, maxdisk - disk) }];
};

const isSame = (a: Space, b: Space): boolean =>
  a.freeBytes > 0 &&
  Math.abs(a.freeBytes - b.freeBytes) <= Math.max(SAME_WITHIN_BYTES, SAME_WITHIN * a.freeBytes) &&
  !isBlockPool(a) &&
  !isBlockPool(b);

/** Volumes of LVM share nothing with what lies beside them. */
const isBlockPool = ({ plugin }: Space): boolean => plugin === 'lvm' || plugin === 'lvmthin';
