/** Who the hosts are, when they booted, and what their node_exporter could not read. */
import type { ReadingKind } from '../../../../signals/reading.ts';
import { label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { COLLECTOR_READS, type Host } from '../hosts.ts';
import type { NamedQuery } from '../named-query.ts';
import { prometheusLimits } from '../prometheus-limits.ts';
import { quote, type Selector, seconds } from '../promql.ts';
import { addReading, downReason, isWhole, type SurveyWorld, toOurs } from '../survey-world.ts';
import { VIRTUAL_INTERFACES } from '../virtual-interfaces.ts';

/** Collectors whose failure can also mean that there is nothing to read are asked for too: their lists are not whole then. */
const COLLECTORS = 'cpu|meminfo|stat|vmstat|timex|filesystem|diskstats|mdadm|zfs|edac|hwmon|bonding|systemd';

const nics = (select: Selector): string =>
  select('node_network_info', `device!~"${VIRTUAL_INTERFACES}"`, 'address!=""', 'address!="00:00:00:00:00:00"');
const collectors = (select: Selector): string =>
  select('node_scrape_collector_success', `collector=~${quote(COLLECTORS)}`);

const live: readonly NamedQuery[] = [
  { name: 'node_uname', needs: ['node_uname_info'], reads: [], promql: ({ select }) => select('node_uname_info') },
  {
    name: 'node_boot',
    needs: ['node_boot_time_seconds'],
    reads: ['boot'],
    promql: ({ select }) => select('node_boot_time_seconds'),
  },
  { name: 'node_nics', needs: ['node_network_info'], reads: [], promql: ({ select }) => nics(select), enriches: true },
  {
    name: 'node_collectors',
    needs: ['node_scrape_collector_success'],
    reads: [],
    promql: ({ select }) => collectors(select),
  },
];

/** The last words of targets that are down. */
const lastWords = live.map(
  (query): NamedQuery => ({
    ...query,
    name: `${query.name}_down`,
    promql: (context, first) => {
      const { select } = context;
      return `last_over_time(${query.promql(context, first)}[${seconds(prometheusLimits.lastWordsMs)}]) and on (job, instance) (${select('up')} == 0)`;
    },
    when: (first) => first.series('targets_up').some((series) => lastValue(series) !== 1),
  }),
);

export const hostsArea = defineArea({
  name: 'hosts',
  queries: [...live, ...lastWords],
  map: (world) => {
    const { answers, hosts, out } = world;
    for (const { labels, points } of answers.series('node_boot')) {
      const host = hosts.ofNode(labels);
      const bootedAtS = points[points.length - 1]?.value;
      if (host === null || bootedAtS === undefined) continue;
      const bootedAtMs = toOurs(world, bootedAtS * 1000);
      addReading(world, host.ref, labels, {
        kind: 'boot',
        bootedAtMs,
        previousEndedOrderly: null,
        previousEndedAtMs: null,
      });
    }
    for (const host of hosts.all) if (host.node !== null) mapTrouble(world, host);
    if (isWhole(world, 'targets_up', 'node_uname', 'node_uname_down')) out.list('host', null);
  },
});

const mapTrouble = (world: SurveyWorld, { ref, name, node, isDown }: Host): void => {
  if (node === null) return;
  if (isDown) {
    const reason = downReason(world, {
      key: node.key,
      job: label(node.labels, 'job'),
      instance: label(node.labels, 'instance'),
    });
    world.out.gap({ ref, reads: [], code: 'unreachable', reason });
    return;
  }
  for (const [collector, worked] of node.collectors) {
    const kind: ReadingKind | undefined = collector === 'filesystem' ? 'filesystem' : COLLECTOR_READS[collector];
    if (worked || kind === undefined) continue;
    world.out.gap({
      ref,
      reads: [kind],
      code: 'failed',
      reason: `node_exporter on ${name} could not read ${collector}: see its log`,
    });
  }
};
