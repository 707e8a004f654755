/** ZFS pools of the machine that a backup server runs on. */
import { hint } from '../../../signals/claim.ts';
import type { ReadingKind } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import type { SlowAnswer, SlowPart, SlowPlace, SlowThing } from '../proxmox/slow-part.ts';
import { type PoolItem, poolDetail, poolHealth, poolItem } from '../proxmox/zfs-answer.ts';
import { proxmoxBackupLimits } from './proxmox-backup-limits.ts';
import type { PbsWorld } from './world.ts';

/** Not its space: that is told by the datastores on it. */
const READS: readonly ReadingKind[] = ['zfs_pool'];

export const zfsPart: SlowPart<PbsWorld, SlowPlace> = {
  name: 'zfs',
  pace: 'hourly',
  reads: READS,
  read: async (world, place): Promise<SlowAnswer> => {
    const read = await world.ask.list(apiPath('nodes', 'localhost', 'disks', 'zfs'), poolItem);
    if (!read.ok) return isAbsent(read.failure.reason) ? { ok: true, things: [], isWhole: true } : read;
    const pools = read.value.items.slice(0, proxmoxBackupLimits.pools);
    const things = await Promise.all(pools.map((pool) => readPool(world, place, pool)));
    return { ok: true, things, isWhole: read.value.dropped === 0 && pools.length === read.value.items.length };
  },
};

/** So it ends on a machine without ZFS. */
const isAbsent = (reason: string): boolean => /zpool.*(?:No such file|not found)|No such file.*zpool/i.test(reason);

const readPool = async (world: PbsWorld, place: SlowPlace, pool: PoolItem): Promise<SlowThing> => {
  const claim = claimOf(place, pool.name);
  const read = await world.ask.get(apiPath('nodes', 'localhost', 'disks', 'zfs', pool.name), poolDetail);
  if (!read.ok) {
    return { claim, readings: [], gaps: [{ reads: READS, code: read.failure.code, reason: read.failure.reason }] };
  }
  const health = poolHealth(pool, read.value, world.server.timeZone);
  if (health !== null) return { claim, readings: [health] };
  const reason = `the state of ${cleanText(pool.name, 128)} is not understood`;
  return { claim, readings: [], gaps: [{ reads: READS, code: 'malformed', reason }] };
};

const claimOf = (place: SlowPlace, name: string): SlowThing['claim'] => ({
  ref: `pool:zfs/${name}`,
  kind: 'pool',
  name: cleanText(name, 256),
  parentRef: place.ref,
  slug: `zfs-${cleanText(name, 256)}`,
  keys: [hint(`pool-name:zfs/${name}`, 'parent')],
  expects: READS,
  facts: { poolType: 'zfs' },
});
