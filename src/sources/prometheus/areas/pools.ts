/** ZFS pools: their state from node_exporter, state and space from zfs_exporter. */
import { hint } from '../../../../signals/claim.ts';
import type { ZfsState } from '../../../../signals/reading.ts';
import { cleanText } from '../../../runtime/text.ts';
import type { Labels, SeriesAnswer } from '../answer.ts';
import { label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import type { Host } from '../hosts.ts';
import { listChildren } from '../list-children.ts';
import { anyOf, type Selector } from '../promql.ts';
import { addSizePast, addUsedPast, isWorthTrending, SPACE_TREND } from '../space-trend.ts';
import { addReading, type SurveyWorld } from '../survey-world.ts';

const SPACE = ['zfs_pool_size_bytes', 'zfs_pool_allocated_bytes', 'zfs_pool_free_bytes'];

/** Codes of `zfs_pool_health` (pdf/zfs_exporter, collector/transform.go), in their order. */
const HEALTH_CODES: readonly ZfsState[] = [
  'ONLINE',
  'DEGRADED',
  'FAULTED',
  'OFFLINE',
  'UNAVAIL',
  'REMOVED',
  'SUSPENDED',
];
const STATES: ReadonlySet<string> = new Set(HEALTH_CODES);
const isState = (text: string): text is ZfsState => STATES.has(text);

export const poolRef = (host: Host, pool: string): string => `pool:${host.ref}/zfs/${pool}`;

const trend = (select: Selector, metric: string): string =>
  `${select(metric)} and ${isWorthTrending(select('zfs_pool_free_bytes'), select('zfs_pool_size_bytes'))}`;

export const poolsArea = defineArea({
  name: 'pools',
  queries: [
    {
      name: 'node_pools',
      needs: ['node_zfs_zpool_state'],
      reads: ['zfs_pool'],
      promql: ({ select }) => `${select('node_zfs_zpool_state')} == 1`,
    },
    {
      name: 'zfs_health',
      needs: ['zfs_pool_health'],
      reads: ['zfs_pool'],
      promql: ({ select }) => select('zfs_pool_health'),
    },
    {
      name: 'zfs_space',
      needs: ['zfs_pool_size_bytes'],
      reads: ['capacity'],
      promql: ({ select }) => anyOf(select, SPACE),
    },
    {
      name: 'zfs_used_past',
      needs: SPACE,
      reads: ['capacity'],
      pace: 'past',
      range: SPACE_TREND,
      promql: ({ select }) => trend(select, 'zfs_pool_allocated_bytes'),
    },
    {
      name: 'zfs_size_past',
      needs: SPACE,
      reads: ['capacity'],
      pace: 'past',
      range: SPACE_TREND,
      promql: ({ select }) => trend(select, 'zfs_pool_size_bytes'),
    },
  ],
  map: (world) => {
    const { answers, hosts } = world;
    const told = new Set<string>();
    for (const series of answers.series('zfs_health')) {
      const state = HEALTH_CODES[lastValue(series)];
      mapState(world, hosts.of(series.labels), series.labels, label(series.labels, 'pool'), state, told);
    }
    for (const { labels } of answers.series('node_pools')) {
      const host = hosts.ofNode(labels);
      const state = label(labels, 'state').toUpperCase();
      if (host !== null)
        mapState(world, host, labels, label(labels, 'zpool'), isState(state) ? state : undefined, told);
    }
    mapSpace(world);
    listChildren(world, { kind: 'pool', queries: ['node_pools', 'zfs_health', 'zfs_space'], collectors: ['zfs'] });
  },
});

const claimPool = ({ out }: SurveyWorld, host: Host, name: string): string => {
  const pool = cleanText(name, 200);
  const ref = poolRef(host, pool);
  const keys = [hint(`pool-name:zfs/${pool}`, 'parent')];
  out.claim({
    ref,
    kind: 'pool',
    name: pool,
    parentRef: host.ref,
    keys,
    slug: `zfs-${pool}`,
    facts: { poolType: 'zfs' },
  });
  return ref;
};

const mapState = (
  world: SurveyWorld,
  host: Host,
  labels: Labels,
  pool: string,
  state: ZfsState | undefined,
  told: Set<string>,
): void => {
  const ref = claimPool(world, host, pool);
  world.out.expect(ref, 'zfs_pool');
  if (state === undefined || told.has(ref)) return;
  told.add(ref);
  addReading(world, ref, labels, {
    kind: 'zfs_pool',
    state,
    redundancyLeft: null,
    dataErrors: null,
    members: [],
    scan: null,
    createdAtMs: null,
  });
};

const mapSpace = (world: SurveyWorld): void => {
  const pools = Map.groupBy(world.answers.series('zfs_space'), ({ labels }) =>
    claimPool(world, world.hosts.of(labels), label(labels, 'pool')),
  );
  for (const [ref, parts] of pools) {
    const [first] = parts;
    const values = new Map(parts.map((series) => [label(series.labels, '__name__'), lastValue(series)]));
    const [sizeBytes, usedBytes, availableBytes] = SPACE.map((name) => values.get(name));
    world.out.expect(ref, 'capacity');
    if (first === undefined || sizeBytes === undefined || usedBytes === undefined || availableBytes === undefined)
      continue;
    addReading(world, ref, first.labels, { kind: 'capacity', sizeBytes, usedBytes, availableBytes });
  }
  const { answers, hosts } = world;
  const refOf = ({ labels }: SeriesAnswer): string => poolRef(hosts.of(labels), cleanText(label(labels, 'pool'), 200));
  for (const past of answers.series('zfs_used_past')) addUsedPast(world, refOf(past), past);
  for (const past of answers.series('zfs_size_past')) addSizePast(world, refOf(past), past);
};
