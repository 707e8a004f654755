/** LVM thin pools of a node. */
import { z } from 'zod';
import { hint } from '../../../signals/claim.ts';
import type { ReadingBody } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { figure } from '../proxmox/answer-fields.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import type { SlowAnswer, SlowPart, SlowThing } from '../proxmox/slow-part.ts';
import type { VeNode } from './estate.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';
import type { VeWorld } from './world.ts';

const thinPool = z.looseObject({
  lv: z.string().min(1).max(256),
  vg: z.string().min(1).max(256),
  lv_size: figure,
  used: figure,
  metadata_size: figure,
  metadata_used: figure,
});
type ThinPool = z.infer<typeof thinPool>;

export const thinPoolPart: SlowPart<VeWorld, VeNode> = {
  name: 'thin-pools',
  pace: 'hourly',
  reads: ['thin_pool'],
  read: async (world, node): Promise<SlowAnswer> => {
    const read = await world.ask.list(apiPath('nodes', node.name, 'disks', 'lvmthin'), thinPool);
    if (!read.ok) return read;
    const pools = read.value.items.slice(0, proxmoxVeLimits.poolsPerNode);
    return { ok: true, things: pools.map((pool) => thingOf(node, pool)), isWhole: read.value.dropped === 0 };
  },
};

const ratio = (used: number | undefined, size: number | undefined): number | null =>
  used === undefined || size === undefined || size <= 0 ? null : used / size;

const thingOf = (node: VeNode, pool: ThinPool): SlowThing => {
  const dataUsedRatio = ratio(pool.used, pool.lv_size);
  const name = cleanText(`${pool.vg}/${pool.lv}`, 256);
  const reading: readonly ReadingBody[] =
    dataUsedRatio === null
      ? []
      : [{ kind: 'thin_pool', dataUsedRatio, metadataUsedRatio: ratio(pool.metadata_used, pool.metadata_size) }];
  return {
    claim: {
      ref: thinPoolRef(node.name, name),
      kind: 'pool',
      name,
      parentRef: node.ref,
      slug: `lvm-${name}`,
      keys: [hint(`pool-name:lvm/${name}`, 'parent')],
      expects: ['thin_pool'],
      facts: { poolType: 'lvm-thin' },
    },
    readings: reading,
  };
};

export const thinPoolRef = (node: string, name: string): string => `pool:${node}/lvm/${name}`;
