/** What `zpool status` says, in one shape for its JSON and its text. */
import type { ZfsMember, ZfsPoolReading, ZfsScan, ZfsState } from '../../../signals/reading.ts';

/** One device or group of devices of a pool. */
export interface Vdev {
  /** `mirror-0`, `raidz2-1`, `spare-3`, or a device's name. */
  readonly name: string;
  readonly state: ZfsMember['state'];
  readonly readErrors: number;
  readonly writeErrors: number;
  readonly checksumErrors: number;
  readonly children: readonly Vdev[];
}

export interface ZpoolStatus {
  readonly name: string;
  readonly state: ZfsState;
  /** Those that hold data: normal, special and dedup. */
  readonly dataVdevs: readonly Vdev[];
  /** Logs, caches and spares. */
  readonly otherVdevs: readonly Vdev[];
  readonly dataErrors: number | null;
  readonly scan: ZfsScan | null;
}

const STATES: Readonly<Record<string, ZfsMember['state']>> = {
  ONLINE: 'ONLINE',
  // Versions around 2.3.0 said HEALTHY in JSON, and name the kernel's states where the text has words of its own.
  HEALTHY: 'ONLINE',
  DEGRADED: 'DEGRADED',
  FAULTED: 'FAULTED',
  SPLIT: 'FAULTED',
  OFFLINE: 'OFFLINE',
  CLOSED: 'OFFLINE',
  REMOVED: 'REMOVED',
  UNAVAIL: 'UNAVAIL',
  CANT_OPEN: 'UNAVAIL',
  UNKNOWN: 'UNAVAIL',
  SUSPENDED: 'SUSPENDED',
  AVAIL: 'AVAIL',
  INUSE: 'INUSE',
};

export const memberState = (word: string): ZfsMember['state'] => STATES[word] ?? 'UNAVAIL';

/** Null: the word means nothing for a pool. */
export const poolState = (word: string): ZfsState | null => {
  const state = STATES[word];
  return state === undefined || state === 'AVAIL' || state === 'INUSE' ? null : state;
};

const SUFFIXES = 'KMGTPE';

/** `0`, `12`, `1.23K`: exact below 1000, else rounded by zfs to three digits. Anything else counts as 0. */
export const parseCount = (text: string): number => {
  const [, digits, suffix] = /^(\d+(?:\.\d+)?)([KMGTPE])?$/.exec(text.trim()) ?? [];
  if (digits === undefined) return 0;
  return Math.round(Number(digits) * (suffix === undefined ? 1 : 1_024 ** (SUFFIXES.indexOf(suffix) + 1)));
};

const leavesOf = (vdev: Vdev): readonly Vdev[] =>
  vdev.children.length === 0 ? [vdev] : vdev.children.flatMap(leavesOf);

/** Of one pool; the largest known have some thousand. */
const MEMBERS = 1_024;

export const zpoolReading = (status: ZpoolStatus, createdAtMs: number | null): ZfsPoolReading => {
  const isResilvering = status.scan?.kind === 'resilver' && status.scan.state === 'running';
  return {
    kind: 'zfs_pool',
    state: status.state,
    redundancyLeft: redundancyLeft(status.dataVdevs, isResilvering),
    dataErrors: status.dataErrors,
    members: [...status.dataVdevs, ...status.otherVdevs]
      .flatMap(leavesOf)
      .slice(0, MEMBERS)
      .map(({ children, ...member }) => member),
    scan: status.scan,
    createdAtMs,
  };
};

/** Whether every vdev with data can still lose a device; null where the tree could not be read. */
export const redundancyLeft = (vdevs: readonly Vdev[], isResilvering: boolean): boolean | null =>
  vdevs.length === 0 ? null : vdevs.every((vdev) => spareDevices(vdev, isResilvering) > 0);

/** How many more devices a vdev can lose without losing data; negative: it has lost too many already. */
const spareDevices = (vdev: Vdev, isResilvering: boolean): number => {
  if (vdev.children.length === 0) return vdev.state === 'ONLINE' || vdev.state === 'DEGRADED' ? 0 : -1;
  const working = vdev.children.map((child) => spareDevices(child, isResilvering) >= 0);
  // While it is being filled, a replacement or a spare holds only part of what it stands in for.
  if (/^(?:replacing|spare)\b/.test(vdev.name)) {
    const isWhole = isResilvering ? working[0] === true : working.includes(true);
    return isWhole ? 0 : -1;
  }
  const lost = working.filter((works) => !works).length;
  const parity = /^d?raidz?(\d)?/.exec(vdev.name);
  const tolerated = parity === null ? vdev.children.length - 1 : Number(parity[1] ?? 1);
  return tolerated - lost;
};
