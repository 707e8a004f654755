/** Which file systems hold data of their own, and how statfs(2) knows them. */

interface FilesystemType {
  /** Behind a network or a user-space daemon: questions may never be answered. */
  readonly remote: boolean;
  /** `f_type` of statfs(2) (linux/magic.h and the file systems' own headers); null: not checked. */
  readonly magic: number | null;
}

const local = (magic: number | null): FilesystemType => ({ remote: false, magic });
const remote = (magic: number | null): FilesystemType => ({ remote: true, magic });
const FUSE = 0x65735546;
const EXT = 0xef53;

/**
 * A list of what is watched, not of what is left out: a new pseudo file system must not alert anybody. Union and
 * pass-through file systems (overlay, mergerfs, bindfs, lxcfs) are out, since their space is that of others here.
 */
const TYPES: ReadonlyMap<string, FilesystemType> = new Map([
  ['ext2', local(EXT)],
  ['ext3', local(EXT)],
  ['ext4', local(EXT)],
  ['xfs', local(0x58465342)],
  ['btrfs', local(0x9123683e)],
  ['bcachefs', local(0xca451a4e)],
  ['zfs', local(0x2fc12fc1)],
  ['f2fs', local(0xf2f52010)],
  ['jfs', local(0x3153464a)],
  ['reiserfs', local(0x52654973)],
  ['nilfs2', local(0x3434)],
  ['ocfs2', local(0x7461636f)],
  ['gfs2', local(0x01161970)],
  ['vfat', local(0x4d44)],
  ['exfat', local(0x2011bab0)],
  ['ntfs', local(null)],
  ['ntfs3', local(0x7366746e)],
  ['hfsplus', local(0x482b)],
  ['ufs', local(0x00011954)],
  ['fuseblk', remote(FUSE)],
  ['nfs', remote(0x6969)],
  ['nfs4', remote(0x6969)],
  ['cifs', remote(0xff534d42)],
  ['smb3', remote(0xfe534d42)],
  ['ceph', remote(0x00c36400)],
  ['lustre', remote(0x0bd00bd0)],
  ['beegfs', remote(null)],
  ['9p', remote(0x01021997)],
  ['virtiofs', remote(FUSE)],
  ['fuse.ceph', remote(FUSE)],
  ['fuse.glusterfs', remote(FUSE)],
  ['fuse.sshfs', remote(FUSE)],
  ['fuse.moosefs', remote(FUSE)],
  ['fuse.lizardfs', remote(FUSE)],
  ['fuse.saunafs', remote(FUSE)],
]);

/** Types that come over the network in the operator's sense: their space is somebody else's. */
const ON_THIS_MACHINE = new Set(['fuseblk']);

export const filesystemType = (fsType: string): FilesystemType | null => TYPES.get(fsType) ?? null;

export const isNetworked = (fsType: string): boolean =>
  (TYPES.get(fsType)?.remote ?? false) && !ON_THIS_MACHINE.has(fsType);

/** smb2 and smb3 mounts call themselves cifs. */
const SMB2 = 0xfe534d42;

/** Whether figures of a file system with this `f_type` can be those of a mount of this type. */
export const magicFits = (fsType: string, magic: number | null): boolean => {
  const expected = TYPES.get(fsType)?.magic ?? null;
  return magic === null || expected === null || expected === magic || (fsType === 'cifs' && magic === SMB2);
};
