/** What of a node's memory nobody could be given, from one point of its history. Pure. */
import type { RrdPoint } from './history-window.ts';

export interface NodeMemory {
  readonly unavailableBytes: number;
  /** What ZFS's cache could give back; undefined where its size is not told. */
  readonly reclaimableArcBytes: number | undefined;
}

/** OpenZFS keeps at least a 32nd of the memory (`zfs_arc_min`). */
const ARC_KEEPS = 1 / 32;

/** Version 9 tells what is available and how large the cache of ZFS is; older ones count the latter as used. */
export const nodeMemoryBytes = (point: RrdPoint): NodeMemory | undefined => {
  const { memtotal, memused, memavailable, arcsize } = point;
  if (memtotal === undefined) return undefined;
  const used = memavailable === undefined ? memused : memtotal - memavailable;
  if (used === undefined) return undefined;
  if (arcsize === undefined) return { unavailableBytes: used, reclaimableArcBytes: undefined };
  const reclaimable = Math.max(0, arcsize - memtotal * ARC_KEEPS);
  return { unavailableBytes: Math.max(0, used - reclaimable), reclaimableArcBytes: reclaimable };
};
