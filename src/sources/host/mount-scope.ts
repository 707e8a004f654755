/** Which mounts are watched: each real file system once, at the place where people look for it. */
import { posix } from 'node:path';
import { filesystemType } from './filesystem-types.ts';
import type { Mount } from './mountinfo.ts';

/** Where others mount what is not to be watched for itself: images, layers and volumes of containers, snaps. */
const FOREIGN_TREES = [
  '/dev',
  '/proc',
  '/run/containerd',
  '/run/containers',
  '/run/credentials',
  '/run/docker',
  '/run/lock',
  '/run/snapd',
  '/run/systemd',
  '/run/user',
  '/snap',
  '/sys',
  '/var/lib/containerd',
  '/var/lib/containers/storage',
  '/var/lib/docker',
  '/var/lib/kubelet',
  '/var/lib/lxcfs',
  '/var/lib/lxd',
  '/var/lib/snapd',
  '/var/snap',
];

/** Single files that engines bind into every container. */
const ENGINE_FILES = new Set(['/etc/hostname', '/etc/hosts', '/etc/resolv.conf', '/dev/termination-log']);

const isBelow = (path: string, tree: string): boolean => path === tree || path.startsWith(`${tree}/`);

export interface MountScope {
  /** The operator's globs over mount points. */
  readonly ignore: readonly string[];
}

/**
 * Of several mounts of one device the one of its whole tree counts, and the shortest of those; of btrfs, whose
 * subvolumes share one space, simply the shortest. A place that was mounted over shows only its newest mount.
 */
export const watchedMounts = (mounts: readonly Mount[], { ignore }: MountScope): readonly Mount[] => {
  const visible = new Map(mounts.map((mount) => [mount.mountPoint, mount]));
  const real = [...visible.values()].filter((mount) => isWatched(mount, ignore));
  const byDevice = Map.groupBy(real, ({ device }) => device);
  return [...byDevice.values()].flatMap((group) => group.toSorted(bestFirst).slice(0, 1));
};

const isWatched = ({ fsType, mountPoint }: Mount, ignore: readonly string[]): boolean =>
  filesystemType(fsType) !== null &&
  !ENGINE_FILES.has(mountPoint) &&
  !FOREIGN_TREES.some((tree) => isBelow(mountPoint, tree)) &&
  !ignore.some((glob) => posix.matchesGlob(mountPoint, glob));

const isPart = ({ fsType, root }: Mount): number => (fsType !== 'btrfs' && root !== '/' ? 1 : 0);

const bestFirst = (a: Mount, b: Mount): number =>
  isPart(a) - isPart(b) || a.mountPoint.length - b.mountPoint.length || (a.mountPoint < b.mountPoint ? -1 : 1);
