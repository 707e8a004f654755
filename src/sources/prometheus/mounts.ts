/** Mounted filesystems as node_exporter tells them, scoped like those of the host source. */
import { cleanText } from '../../runtime/text.ts';
import { watchedMounts } from '../host/mount-scope.ts';
import { type Labels, type SeriesAnswer, targetKey } from './answer.ts';
import { label, lastValue } from './answers.ts';
import type { Host, Hosts } from './hosts.ts';

export interface MountSeries {
  readonly host: Host;
  readonly labels: Labels;
  readonly mountPoint: string;
  readonly fsType: string;
  readonly device: string;
  /** Newest values by metric name without `node_filesystem_`. */
  readonly values: Readonly<Record<string, number>>;
}

/** Of one machine. */
export const MOUNTS_OF_A_HOST = 256;
/** Datasets whose free space is this close to the pool's have no limit of their own. */
const SHARES_POOL_FROM = 0.9;

/** What identifies one mounted filesystem among the series of one answer. */
export const mountKey = (labels: Labels): string =>
  `${targetKey(labels)}\n${label(labels, 'mountpoint')}\n${label(labels, 'device')}`;

/** Every mount of every host. */
export const readMounts = (
  series: readonly SeriesAnswer[],
  hosts: Hosts,
): ReadonlyMap<Host, readonly MountSeries[]> => {
  const byHost = new Map<Host, Map<string, { readonly labels: Labels; readonly values: Record<string, number> }>>();
  for (const one of series) {
    const { labels } = one;
    const host = hosts.ofNode(labels);
    if (host === null) continue;
    let drafts = byHost.get(host);
    if (drafts === undefined) {
      drafts = new Map();
      byHost.set(host, drafts);
    }
    const key = `${label(labels, 'mountpoint')}\n${label(labels, 'device')}`;
    let draft = drafts.get(key);
    if (draft === undefined) {
      draft = { labels, values: {} };
      drafts.set(key, draft);
    }
    draft.values[label(labels, '__name__').slice('node_filesystem_'.length)] = lastValue(one);
  }
  return new Map(
    [...byHost].map(([host, drafts]) => [host, [...drafts.values()].map((draft) => toMount(host, draft))]),
  );
};

const toMount = (host: Host, { labels, values }: Pick<MountSeries, 'labels' | 'values'>): MountSeries => ({
  host,
  labels,
  values,
  mountPoint: label(labels, 'mountpoint'),
  fsType: label(labels, 'fstype'),
  device: label(labels, 'device'),
});

/** Each real filesystem of a host once; of datasets that share a pool's space, at most one. */
export const scopeMounts = (
  mounts: readonly MountSeries[],
  ignore: readonly string[],
  poolIsWatched: (pool: string) => boolean,
): readonly MountSeries[] => {
  const byPoint = new Map(mounts.map((mount) => [mount.mountPoint, mount]));
  const watched = watchedMounts(
    mounts.map(({ mountPoint, fsType, device }) => ({
      device,
      root: '/',
      mountPoint,
      mountOptions: [],
      fsType,
      source: device,
      superOptions: [],
    })),
    { ignore },
  ).flatMap(({ mountPoint }) => byPoint.get(mountPoint) ?? []);
  const datasets = watched.filter(({ fsType }) => fsType === 'zfs');
  return [...watched.filter(({ fsType }) => fsType !== 'zfs'), ...scopeDatasets(datasets, poolIsWatched)];
};

const poolOf = (dataset: string): string => dataset.split('/', 1)[0] ?? dataset;

/** A dataset with less room than its pool has a quota; of the others the one that uses most stands for the pool. */
const scopeDatasets = (
  datasets: readonly MountSeries[],
  poolIsWatched: (pool: string) => boolean,
): readonly MountSeries[] => {
  const byPool = Map.groupBy(datasets, ({ device }) => poolOf(device));
  return [...byPool].flatMap(([pool, group]) => {
    const available = (mount: MountSeries): number => mount.values['avail_bytes'] ?? 0;
    const poolAvailable = Math.max(...group.map(available));
    const limited = group.filter((mount) => available(mount) < SHARES_POOL_FROM * poolAvailable);
    if (poolIsWatched(pool)) return limited;
    const used = ({ values }: MountSeries): number => (values['size_bytes'] ?? 0) - (values['free_bytes'] ?? 0);
    const plain = group.filter((mount) => !limited.includes(mount)).toSorted((a, b) => used(b) - used(a));
    return [...limited, ...plain.slice(0, 1)];
  });
};

export const mountRef = ({ host, mountPoint }: MountSeries): string =>
  `filesystem:${host.ref}${cleanText(mountPoint, 512)}`;
