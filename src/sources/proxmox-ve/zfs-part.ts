/** ZFS pools of a node: their state, members, last scrub and space. */
import { hint } from '../../../signals/claim.ts';
import type { ReadingKind } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import type { SlowAnswer, SlowPart, SlowThing } from '../proxmox/slow-part.ts';
import { type PoolItem, poolDetail, poolHealth, poolItem, poolSpace } from '../proxmox/zfs-answer.ts';
import type { VeNode } from './estate.ts';
import { nodeTimeZone } from './node-clocks.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';
import type { VeWorld } from './world.ts';

const READS: readonly ReadingKind[] = ['zfs_pool', 'capacity'];
export const poolRef = (node: string, pool: string): string => `pool:${node}/zfs/${pool}`;

export const zfsPart: SlowPart<VeWorld, VeNode> = {
  name: 'zfs',
  pace: 'hourly',
  reads: READS,
  read: async (world, node): Promise<SlowAnswer> => {
    const path = apiPath('nodes', node.name, 'disks', 'zfs');
    const read = await world.ask.list(path, poolItem);
    if (!read.ok) return isAbsent(read.failure.reason) ? { ok: true, things: [], isWhole: true } : read;
    const pools = read.value.items.slice(0, proxmoxVeLimits.poolsPerNode);
    const things = await Promise.all(pools.map((pool) => readPool(world, node, pool)));
    return { ok: true, things, isWhole: read.value.dropped === 0 };
  },
};

/** Proxmox dies so on a node without ZFS. */
const isAbsent = (reason: string): boolean => /zfsutils-linux not installed/i.test(reason);

const readPool = async (world: VeWorld, node: VeNode, pool: PoolItem): Promise<SlowThing> => {
  const read = await world.ask.get(apiPath('nodes', node.name, 'disks', 'zfs', pool.name), poolDetail);
  const claim = claimOf(node, pool.name);
  const space = poolSpace(pool);
  const health = read.ok ? poolHealth(pool, read.value, nodeTimeZone(world, node)) : null;
  const gap = read.ok
    ? {
        reads: ['zfs_pool'] as const,
        code: 'malformed' as const,
        reason: `the state of ${pool.name} is not understood`,
      }
    : { reads: ['zfs_pool'] as const, code: read.failure.code, reason: read.failure.reason };
  return {
    claim,
    readings: [...(space === null ? [] : [space]), ...(health === null ? [] : [health])],
    gaps: health === null ? [gap] : [],
  };
};

const claimOf = (node: VeNode, name: string): SlowThing['claim'] => ({
  ref: poolRef(node.name, name),
  kind: 'pool',
  name: cleanText(name, 256),
  parentRef: node.ref,
  slug: `zfs-${cleanText(name, 256)}`,
  keys: [hint(`pool-name:zfs/${name}`, 'parent')],
  expects: READS,
  facts: { poolType: 'zfs' },
});
