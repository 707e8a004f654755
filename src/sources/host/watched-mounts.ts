/** Reads the machine's mounts and settles which of them are watched. */
import type { Gap } from '../../../signals/survey.ts';
import { HOST_REF, type HostContext } from './host-context.ts';
import { watchedMounts } from './mount-scope.ts';
import { type Mount, parseMountinfo } from './mountinfo.ts';
import type { TextRead } from './root-reader.ts';
import { isMeantWritable, parseFstab } from './writable-mounts.ts';

/** Of one machine; container hosts have thousands of mounts, but few file systems. */
const WATCHED_MOUNTS = 256;

export type WatchedMounts =
  | { readonly kind: 'mounts'; readonly mounts: readonly Mount[]; readonly gaps: readonly Gap[] }
  | { readonly kind: 'unread'; readonly gap: Gap };

interface MountTable {
  readonly read: TextRead;
  /** Whether it is that of the machine's init, and so holds its real mount options. */
  readonly ofInit: boolean;
}

export const watchedMountsOf = async (host: HostContext, seenWritable: ReadonlySet<string>): Promise<WatchedMounts> => {
  const { read, ofInit } = await readMountTable(host);
  if (read.kind !== 'read') return { kind: 'unread', gap: gap('not_permitted', unreadReason(host.reader.root)) };
  const table = parseMountinfo(read.text);
  const scoped = watchedMounts(table.mounts, { ignore: host.config.ignoreFilesystems });
  const fstabRead = await host.reader.readText('/etc/fstab');
  const fstab = parseFstab(fstabRead.kind === 'read' ? fstabRead.text : '');
  const writable = scoped.filter((mount) => isMeantWritable(mount, { fstab, seenWritable, trueOptions: ofInit }));
  const { mounts, gaps } = await withoutPlainDatasets(host, writable);
  const cut = read.cut || mounts.length > WATCHED_MOUNTS;
  return {
    kind: 'mounts',
    mounts: mounts.slice(0, WATCHED_MOUNTS),
    gaps: [
      ...gaps,
      ...(cut ? [gap('cut_short', `more mounts than are watched (${WATCHED_MOUNTS})`)] : []),
      ...(table.malformed > 0 ? [gap('malformed', `${table.malformed} lines of mountinfo are not understood`)] : []),
    ],
  };
};

const gap = (code: Gap['code'], reason: string): Gap => ({ ref: HOST_REF, reads: ['filesystem'], code, reason });

const unreadReason = (root: string): string =>
  root === '/'
    ? 'neither /proc/1/mountinfo nor /proc/self/mountinfo can be read'
    : `${root}/proc/1/mountinfo can't be read: is the machine's /proc mounted there, and its process 1 visible?`;

/** Below another root, `self` would be patrold's own container. */
const readMountTable = async ({ reader }: HostContext): Promise<MountTable> => {
  const ofInit = await reader.readText('/proc/1/mountinfo');
  if (ofInit.kind === 'read' && ofInit.text !== '') return { read: ofInit, ofInit: true };
  if (reader.root !== '/') return { read: ofInit.kind === 'read' ? { kind: 'absent' } : ofInit, ofInit: true };
  return { read: await reader.readText('/proc/self/mountinfo'), ofInit: false };
};

/** Datasets share their pool's space, and the pool is watched; only one with a quota can be full on its own. */
const withoutPlainDatasets = async (
  host: HostContext,
  mounts: readonly Mount[],
): Promise<{ mounts: readonly Mount[]; gaps: readonly Gap[] }> => {
  // Inside a container the dataset is its root disk, with the quota that its host gave it.
  if (host.environment.container !== null || !mounts.some(({ fsType }) => fsType === 'zfs'))
    return { mounts, gaps: [] };
  const datasets = await host.zfsDatasets();
  const limited = 'limited' in datasets ? datasets.limited : new Set<string>();
  return {
    mounts: mounts.filter(({ fsType, source }) => fsType !== 'zfs' || limited.has(source)),
    gaps: 'limited' in datasets ? [] : [gap(datasets.code, `quotas of ZFS datasets are not known: ${datasets.reason}`)],
  };
};
