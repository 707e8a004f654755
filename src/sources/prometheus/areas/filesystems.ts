/** Space, inodes and writability of mounted filesystems, and how their use has grown. */
import { hint } from '../../../../signals/claim.ts';
import { metrics } from '../../../../signals/history.ts';
import { cleanText } from '../../../runtime/text.ts';
import { isNetworked } from '../../host/filesystem-types.ts';
import type { SeriesAnswer } from '../answer.ts';
import { label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { listChildren } from '../list-children.ts';
import { MOUNTS_OF_A_HOST, type MountSeries, mountKey, mountRef, readMounts, scopeMounts } from '../mounts.ts';
import { pastSeries } from '../past-series.ts';
import { anyOf, type Selector, whoseLast } from '../promql.ts';
import { addSizePast, addUsedPast, changesOf, isWorthTrending, SPACE_TREND } from '../space-trend.ts';
import { addReading, isWhole, type SurveyWorld } from '../survey-world.ts';
import { createTurnedReadOnly, type TurnedReadOnly } from '../turned-read-only.ts';
import { poolRef } from './pools.ts';

const METRICS = ['size_bytes', 'free_bytes', 'avail_bytes', 'files', 'files_free', 'readonly', 'device_error'].map(
  (name) => `node_filesystem_${name}`,
);
/** Only to keep them out of the answer; what is watched is decided by what is real. */
const PSEUDO =
  'fstype!~"tmpfs|ramfs|rootfs|overlay|squashfs|erofs|devtmpfs|efivarfs|fuse.lxcfs|fuse.snapfuse|nsfs|iso9660|autofs|tracefs"';

const READ_ONLY_PAST = { spanMs: 7 * 24 * 3_600_000, stepMs: 2 * 3_600_000 };

const trend = (select: Selector, what: 'used' | 'size'): string => {
  const size = select('node_filesystem_size_bytes', PSEUDO);
  const free = select('node_filesystem_free_bytes', PSEUDO);
  return `(${what === 'used' ? `${size} - ${free}` : size}) and ${isWorthTrending(free, size)}`;
};

export const filesystemsArea = defineArea({
  name: 'filesystems',
  queries: [
    {
      name: 'node_filesystems',
      needs: ['node_filesystem_size_bytes'],
      reads: ['filesystem'],
      promql: ({ select }) => anyOf(select, METRICS, PSEUDO),
    },
    {
      name: 'filesystem_used_past',
      needs: ['node_filesystem_size_bytes', 'node_filesystem_free_bytes'],
      reads: ['filesystem'],
      pace: 'past',
      range: SPACE_TREND,
      promql: ({ select }) => trend(select, 'used'),
    },
    {
      name: 'filesystem_size_past',
      needs: ['node_filesystem_size_bytes', 'node_filesystem_free_bytes'],
      reads: ['filesystem'],
      pace: 'past',
      range: SPACE_TREND,
      promql: ({ select }) => trend(select, 'size'),
    },
    {
      name: 'filesystem_read_only_past',
      needs: ['node_filesystem_readonly'],
      reads: ['filesystem'],
      range: READ_ONLY_PAST,
      promql: ({ select }) => whoseLast(select('node_filesystem_readonly', PSEUDO), '== 1'),
      when: (first) =>
        first
          .series('node_filesystems')
          .some((series) => label(series.labels, '__name__') === 'node_filesystem_readonly' && lastValue(series) === 1),
    },
  ],
  map: (world) => {
    const { answers, config, out, state } = world;
    const turned = createTurnedReadOnly(answers.series('filesystem_read_only_past'), state);
    const claimed = new Map<string, string>();
    for (const [host, mounts] of readMounts(answers.series('node_filesystems'), world.hosts)) {
      const scoped = scopeMounts(
        mounts,
        config.ignoreFilesystems,
        // A pool whose space could not be asked for has no dataset in its stead: that would be another problem.
        (pool) =>
          !isWhole(world, 'zfs_space', 'zfs_health') ||
          (out.has(poolRef(host, pool)) && answers.series('zfs_space').length > 0),
      );
      const cut = scoped.length > MOUNTS_OF_A_HOST;
      if (cut)
        out.gap({
          ref: host.ref,
          reads: ['filesystem'],
          code: 'cut_short',
          reason: `${host.name} has more mounts than are watched (${MOUNTS_OF_A_HOST})`,
        });
      for (const mount of scoped.slice(0, MOUNTS_OF_A_HOST)) {
        if (mapMount(world, mount, turned)) claimed.set(mountKey(mount.labels), mountRef(mount));
      }
    }
    if (answers.state('node_filesystems') === 'whole') turned.keep();
    addPasts(world, claimed);
    listChildren(world, {
      kind: 'filesystem',
      queries: ['node_filesystems', 'filesystem_read_only_past'],
      collectors: ['filesystem'],
    });
  },
});

/** False: out of scope. */
const mapMount = (world: SurveyWorld, mount: MountSeries, turned: TurnedReadOnly): boolean => {
  const { out } = world;
  const key = mountKey(mount.labels);
  const isReadOnly = mount.values['readonly'] === 1;
  if (isReadOnly && !turned.has(key)) return false;
  if (isReadOnly) turned.see(key);
  const ref = mountRef(mount);
  const name = cleanText(mount.mountPoint, 512);
  out.claim({
    ref,
    kind: 'filesystem',
    name,
    parentRef: mount.host.ref,
    keys: [hint(`fs-mount:${name}`, 'parent')],
    slug: name,
    status: isReadOnly ? 'degraded' : 'running',
    expects: ['filesystem'],
    facts: {
      fsType: mount.fsType,
      mountPoint: name,
      device: cleanText(mount.device, 512),
      networked: isNetworked(mount.fsType),
      // Of what is read-only only that is left in scope which was writable before.
      ...(isReadOnly ? { meantWritable: true } : {}),
    },
  });
  readMount(world, ref, mount, isReadOnly);
  return true;
};

const readMount = (world: SurveyWorld, ref: string, mount: MountSeries, isReadOnly: boolean): void => {
  const { values, labels } = mount;
  const [sizeBytes, freeBytes, availableBytes] = ['size_bytes', 'free_bytes', 'avail_bytes'].map(
    (name) => values[name],
  );
  if (values['device_error'] === 1) {
    world.out.gap({
      ref,
      reads: ['filesystem'],
      code: 'failed',
      reason: `node_exporter can't ask ${cleanText(mount.mountPoint, 200)} for its space`,
    });
    return;
  }
  if (sizeBytes === undefined || freeBytes === undefined || availableBytes === undefined || sizeBytes <= 0) return;
  const inodesTotal = values['files'] ?? 0;
  const inodesFree = values['files_free'] ?? 0;
  const hasInodes = inodesTotal > 0 && inodesFree <= inodesTotal;
  addReading(world, ref, labels, {
    kind: 'filesystem',
    sizeBytes,
    usedBytes: Math.max(0, sizeBytes - freeBytes),
    // Overdrawn reserves show up as an enormous number in some file systems.
    availableBytes: availableBytes <= sizeBytes ? availableBytes : 0,
    inodesTotal: hasInodes ? inodesTotal : null,
    inodesFree: hasInodes ? inodesFree : null,
    superblockReadOnly: values['readonly'] === undefined ? null : isReadOnly,
  });
};

/** `claimed`: refs by `mountKey`. */
const addPasts = (world: SurveyWorld, claimed: ReadonlyMap<string, string>): void => {
  const each = (query: string, add: (world: SurveyWorld, ref: string, past: SeriesAnswer) => void): void => {
    for (const past of world.answers.series(query)) {
      const ref = claimed.get(mountKey(past.labels));
      if (ref !== undefined) add(world, ref, past);
    }
  };
  each('filesystem_used_past', addUsedPast);
  each('filesystem_size_past', addSizePast);
  each('filesystem_read_only_past', (_world, ref, { points }) =>
    world.out.series(pastSeries(world, ref, metrics.readOnly, changesOf(points))),
  );
};
