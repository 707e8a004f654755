import fc from 'fast-check';
import { expect, test } from 'vitest';
import { watchedMounts } from '../../../src/sources/host/mount-scope.ts';
import { parseMountinfo } from '../../../src/sources/host/mountinfo.ts';

const watched = (lines: readonly string[], ignore: readonly string[] = []) =>
  watchedMounts(parseMountinfo(lines.join('\n')).mounts, { ignore }).map(({ mountPoint }) => mountPoint);

const ext4 = (device: string, mountPoint: string, root = '/') =>
  `31 1 ${device} ${root} ${mountPoint} rw,relatime shared:1 - ext4 /dev/sda1 rw`;
const other = (fsType: string, mountPoint: string, device = '0:99') =>
  `31 1 ${device} / ${mountPoint} rw,relatime shared:1 - ${fsType} source rw`;

test.each([
  'squashfs',
  'overlay',
  'tmpfs',
  'devtmpfs',
  'iso9660',
  'autofs',
  'nsfs',
  'fuse.lxcfs',
  'fuse.mergerfs',
  'fuse.rclone',
  'fuse.portal',
  'fuse',
  'ramfs',
  'efivarfs',
  'erofs',
])('%s holds nothing of its own', (fsType) => {
  expect(watched([other(fsType, '/somewhere')])).toEqual([]);
});

test.each(['xfs', 'btrfs', 'vfat', 'nfs4', 'cifs', 'fuseblk', 'ceph', 'fuse.sshfs', 'virtiofs'])(
  '%s does',
  (fsType) => {
    expect(watched([other(fsType, '/somewhere')])).toEqual(['/somewhere']);
  },
);

test.each([
  '/var/lib/docker/volumes/x',
  '/var/lib/docker',
  '/snap/core/1',
  '/run/user/1000/doc',
  '/var/lib/kubelet/pods/1/volumes',
  '/run/credentials/x.service',
  '/var/lib/containers/storage/overlay/x',
])('%s belongs to others', (mountPoint) => {
  expect(watched([ext4('8:1', mountPoint)])).toEqual([]);
});

test('names that only begin alike do not', () => {
  expect(watched([ext4('8:1', '/snapshots'), ext4('8:2', '/var/lib/docker-data')])).toHaveLength(2);
});

test('bind mounts of one device are one file system, at the place of its whole tree', () => {
  expect(
    watched([ext4('8:1', '/b', '/srv/data'), ext4('8:1', '/srv/data/long'), ext4('8:1', '/srv/longer-still')]),
  ).toEqual(['/srv/data/long']);
});

test('a bind mount alone stands for its device', () => {
  expect(watched([ext4('8:1', '/data', '/srv/data')])).toEqual(['/data']);
});

test('subvolumes of btrfs are one file system, at the shortest place', () => {
  const subvolume = (root: string, mountPoint: string) =>
    `31 1 0:27 ${root} ${mountPoint} rw,relatime shared:1 - btrfs /dev/sda2 rw,ssd,subvolid=256,subvol=${root}`;
  expect(watched([subvolume('/@home', '/home'), subvolume('/@', '/'), subvolume('/', '/mnt/top')])).toEqual(['/']);
});

test('what was mounted over is not seen', () => {
  expect(watched([ext4('8:1', '/data'), other('tmpfs', '/data')])).toEqual([]);
});

test('files that engines bind into containers are no file systems', () => {
  expect(watched([ext4('8:1', '/etc/hosts', '/var/lib/docker/containers/1/hosts')])).toEqual([]);
});

test('the operator’s globs take mounts out', () => {
  const mounts = [ext4('8:1', '/mnt/a'), ext4('8:2', '/mnt/a/b'), ext4('8:3', '/srv')];
  expect(watched(mounts, ['/mnt/**'])).toEqual(['/srv']);
  expect(watched(mounts, ['/mnt/*'])).toEqual(['/mnt/a/b', '/srv']);
});

test('whatever the order of mounts at different places, the same are watched', () => {
  const lines = [
    ext4('8:1', '/'),
    ext4('8:1', '/bind', '/x'),
    ext4('8:2', '/a'),
    ext4('8:2', '/bb'),
    other('nfs', '/n'),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
      expect(watched(shuffled).toSorted()).toEqual(['/', '/a', '/n']);
    }),
  );
});
