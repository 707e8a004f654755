/** A ZFS pool as Proxmox tells it: state, members, last scrub and space. Both products print the same tree. Pure. */
import { z } from 'zod';
import type { ReadingBody, ZfsScan } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { createZonedClock } from '../backups/zoned-instant.ts';
import { memberState, poolState, type Vdev, type ZpoolStatus, zpoolReading } from '../host/zpool-status.ts';
import { parseScan } from '../host/zpool-text.ts';
import { figure, text } from './answer-fields.ts';

export const poolItem = z.looseObject({
  name: z.string().min(1).max(256),
  size: figure,
  alloc: figure,
  free: figure,
  health: text,
});
export type PoolItem = z.infer<typeof poolItem>;

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

export const poolDetail = z.looseObject({
  state: text,
  errors: text,
  scan: text,
  children: z.array(vdev).optional(),
});
export type PoolDetail = z.infer<typeof poolDetail>;

/** Groups beside those that hold data; `special` and `dedup` do hold some. */
const OTHER_GROUPS: ReadonlySet<string> = new Set(['logs', 'cache', 'spares']);

export const poolSpace = ({ size, alloc, free }: PoolItem): ReadingBody | null =>
  size === undefined || alloc === undefined || free === undefined || size === 0
    ? null
    : { kind: 'capacity', sizeBytes: size, usedBytes: alloc, availableBytes: free };

/** Null where the state is none that is known. `timeZone`: of the machine, whose wall clock zpool writes. */
export const poolHealth = (pool: PoolItem, detail: PoolDetail, timeZone: string | null): ReadingBody | null => {
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
