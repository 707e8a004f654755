/** Whether a mount that is read-only now was meant to be written. */
import { isReadOnly, type Mount } from './mountinfo.ts';

/** Mount points that /etc/fstab names, with whether it asks for read-only (fstab(5)). */
export const parseFstab = (text: string): ReadonlyMap<string, 'ro' | 'rw'> => {
  const entries = new Map<string, 'ro' | 'rw'>();
  for (const line of text.split('\n')) {
    const [source, mountPoint, , options] = line.trim().split(/\s+/);
    if (source === undefined || source.startsWith('#') || mountPoint === undefined) continue;
    entries.set(mountPoint.replaceAll('\\040', ' '), options?.split(',').includes('ro') === true ? 'ro' : 'rw');
  }
  return entries;
};

export interface WritableEvidence {
  readonly fstab: ReadonlyMap<string, 'ro' | 'rw'>;
  /** Mount points that an earlier survey saw writable. */
  readonly seenWritable: ReadonlySet<string>;
  /** Whether the mount options are those that the machine's own init sees, not those of a hardened service. */
  readonly trueOptions: boolean;
}

/**
 * The operator's fstab decides; then what was seen before; then the mount's own options: where these still say `rw`, it
 * was the kernel that made the superblock read-only.
 */
export const isMeantWritable = (mount: Mount, { fstab, seenWritable, trueOptions }: WritableEvidence): boolean => {
  if (!isReadOnly(mount)) return true;
  const asked = fstab.get(mount.mountPoint);
  if (asked !== undefined) return asked === 'rw';
  return seenWritable.has(mount.mountPoint) || (trueOptions && mount.mountOptions.includes('rw'));
};
