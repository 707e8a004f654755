/** Sets of reading kinds as bits, so that asking what a resource has costs one operation. */
import type { ReadingKind } from './reading.ts';

const BITS: Readonly<Record<ReadingKind, number>> = {
  cpu: 1 << 0,
  memory: 1 << 1,
  filesystem: 1 << 2,
  capacity: 1 << 3,
  smart: 1 << 4,
  array: 1 << 5,
  zfs_pool: 1 << 6,
  thin_pool: 1 << 7,
  unit: 1 << 8,
  oom_kills: 1 << 9,
  boot: 1 << 10,
  memory_errors: 1 << 11,
  temperature: 1 << 12,
  clock: 1 << 13,
  bond: 1 << 14,
  container: 1 << 15,
  container_memory: 1 << 16,
  probe: 1 << 17,
  certificate: 1 << 18,
  target: 1 << 19,
  backup: 1 << 20,
  survey: 1 << 21,
  guest_state: 1 << 22,
  snapshots: 1 << 23,
  backup_volumes: 1 << 24,
  replication: 1 << 25,
  quorum: 1 << 26,
  node_state: 1 << 27,
  ceph: 1 << 28,
  storage_state: 1 << 29,
  backup_verification: 1 << 30,
  upkeep: 1 << 31,
};

export const READING_KINDS = Object.keys(BITS) as readonly ReadingKind[];

export const bitOf = (kind: ReadingKind): number => BITS[kind];

/** Names that are no reading kind (an inventory written by another version) count for nothing. */
export const maskOf = (kinds: readonly string[]): number => {
  let mask = 0;
  for (const kind of kinds) mask |= BITS[kind as ReadingKind] ?? 0;
  return mask;
};
