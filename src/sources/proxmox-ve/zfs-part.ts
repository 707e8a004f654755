/** ZFS pools of a node: their state, members, last scrub and space. */
import { z } from 'zod';
import { hint } from '../../../signals/claim.ts';
import type { ReadingBody, ReadingKind, ZfsScan } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { createZonedClock } from '../backups/zoned-instant.ts';
import { memberState, poolState, type Vdev, type ZpoolStatus, zpoolReading } from '../host/zpool-status.ts';
import { parseScan } from '../host/zpool-text.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import { figure, text } from './answer-fields.ts';
import type { VeNode } from './estate.ts';
import { nodeTimeZone } from './node-clocks.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';
import type { SlowAnswer, SlowPart, SlowThing } from './slow-part.ts';
import type { VeWorld } from './world.ts';

const poolItem = z.looseObject({
  name: z.string().min(1).max(256),
  size: figure,
  alloc: figure,
  free: figure,
  health: text,
});
type PoolItem = z.infer<typeof poolItem>;

interface RawVdev {
  readonly name: string;
  readonly state?: string | undefined;
  readonly read?: number | undefined;
  readonly write?: number | undefined;
  readonly cksum?: number | undefined;
  readonly children?: readonly RawVdev[] | undefined;
}

const vdev: z.ZodType<RawVdev> = z.looseObject({
  name: z.string().max(256),
  state: text,
  read: figure,
  write: figure,
  cksum: figure,
  get children() {
    return z.array(vdev).optional();
  },
});

const detailSchema = z.looseObject({
  state: text,
  errors: text,
  scan: text,
  children: z.array(vdev).optional(),
});
type Detail = z.infer<typeof detailSchema>;

const READS: readonly ReadingKind[] = ['zfs_pool', 'capacity'];
/** Groups beside those that hold data; `special` and `dedup` do hold some. */
const OTHER_GROUPS: ReadonlySet<string> = new Set(['logs', 'cache', 'spares']);

export const poolRef = (node: string, pool: string): string => `pool:${node}/zfs/${pool}`;

export const zfsPart: SlowPart = {
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
  const read = await world.ask.get(apiPath('nodes', node.name, 'disks', 'zfs', pool.name), detailSchema);
  const claim = claimOf(node, pool.name);
  const space = spaceOf(pool);
  const health = read.ok ? healthOf(pool, read.value, nodeTimeZone(world, node)) : null;
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

const spaceOf = ({ size, alloc, free }: PoolItem): ReadingBody | null =>
  size === undefined || alloc === undefined || free === undefined || size === 0
    ? null
    : { kind: 'capacity', sizeBytes: size, usedBytes: alloc, availableBytes: free };

const healthOf = (pool: PoolItem, detail: Detail, timeZone: string | null): ReadingBody | null => {
  const state = poolState((detail.state ?? pool.health ?? '').toUpperCase());
  if (state === null) return null;
  const groups = groupsOf(detail.children ?? [], pool.name);
  const status: ZpoolStatus = {
    name: pool.name,
    state,
    dataVdevs: groups.data.map(toVdev),
    otherVdevs: groups.other.map(toVdev),
    dataErrors: errorsOf(detail.errors),
    scan: scanOf(detail.scan, timeZone),
  };
  return zpoolReading(status, null);
};

/** The root is the pool itself, with its groups beside it; older versions leave it out. */
const groupsOf = (
  children: readonly RawVdev[],
  pool: string,
): { readonly data: readonly RawVdev[]; readonly other: readonly RawVdev[] } => {
  const other = children.filter(({ name }) => OTHER_GROUPS.has(name)).flatMap((group) => group.children ?? []);
  const data = children
    .filter(({ name }) => !OTHER_GROUPS.has(name))
    .flatMap((group) =>
      group.name === pool || group.name === 'special' || group.name === 'dedup' ? (group.children ?? []) : [group],
    );
  return { data, other };
};

const toVdev = ({ name, state = '', read, write, cksum, children = [] }: RawVdev): Vdev => ({
  // Members are written as paths, which the host's own zpool does not do.
  name: cleanText(name.replace(/^\/dev\/(?:disk\/by-[a-z]+\/)?/, ''), 256),
  state: memberState(state.toUpperCase()),
  readErrors: read ?? 0,
  writeErrors: write ?? 0,
  checksumErrors: cksum ?? 0,
  children: children.map(toVdev),
});

const errorsOf = (said: string | undefined): number | null => {
  if (said === undefined) return null;
  if (/^No known data errors/i.test(said)) return 0;
  return Math.max(1, Number(/^(\d+) data errors/.exec(said)?.[1] ?? 1));
};

/** zpool writes the node's wall clock. */
const scanOf = (said: string | undefined, timeZone: string | null): ZfsScan | null => {
  const scan = said === undefined ? null : parseScan(said);
  if (scan === null) return null;
  const move = (wallMs: number | null): number | null => (wallMs === null ? null : zonedInstant(wallMs, timeZone));
  return { ...scan, startedAtMs: move(scan.startedAtMs), finishedAtMs: move(scan.finishedAtMs) };
};

const zonedInstant = (wallMs: number, timeZone: string | null): number => {
  if (timeZone === null) return wallMs;
  const at = new Date(wallMs);
  const time = {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
  };
  try {
    return createZonedClock(timeZone).instantMs(time) ?? wallMs;
  } catch {
    // A zone that this system does not know: half a day off at most, of forty days.
    return wallMs;
  }
};
