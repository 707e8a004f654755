/** Memory that is truly unavailable, averaged by Prometheus. */
import { targetKey } from '../answer.ts';
import { lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { observedShare, type Selector, seconds } from '../promql.ts';
import { addReading, type SurveyWorld } from '../survey-world.ts';

const mean = (select: Selector, metric: string, windowMs: number): string =>
  `avg_over_time(${select(metric)}[${seconds(windowMs)}])`;

export const memoryArea = defineArea({
  name: 'memory',
  queries: [
    {
      name: 'node_memory_total',
      needs: ['node_memory_MemTotal_bytes'],
      reads: ['memory'],
      promql: ({ select }) => select('node_memory_MemTotal_bytes'),
    },
    {
      name: 'node_memory_available',
      needs: ['node_memory_MemAvailable_bytes'],
      reads: ['memory'],
      promql: ({ select, windowMs }) => mean(select, 'node_memory_MemAvailable_bytes', windowMs.memory),
    },
    {
      name: 'node_memory_observed',
      needs: ['node_memory_MemTotal_bytes'],
      reads: ['memory'],
      promql: ({ select, windowMs }) => observedShare(select('node_memory_MemTotal_bytes'), windowMs.memory),
    },
    {
      name: 'node_arc_size',
      needs: ['node_zfs_arc_size', 'node_zfs_arc_c_min'],
      reads: ['memory'],
      promql: ({ select, windowMs }) => mean(select, 'node_zfs_arc_size', windowMs.memory),
    },
    {
      name: 'node_arc_min',
      needs: ['node_zfs_arc_size', 'node_zfs_arc_c_min'],
      reads: ['memory'],
      promql: ({ select }) => select('node_zfs_arc_c_min'),
    },
  ],
  map: (world) => {
    const { answers, hosts, context, out } = world;
    const [available, observed, arcSize, arcMin] = [
      'node_memory_available',
      'node_memory_observed',
      'node_arc_size',
      'node_arc_min',
    ].map((name) => valuesOf(world, name));
    // An unread ARC would be taken for memory in use, a mean without its share observed for one that is only filling.
    const unread = ['node_memory_available', 'node_memory_observed', 'node_arc_size', 'node_arc_min'].some(
      (name) => answers.state(name) === 'failed',
    );
    for (const series of answers.series('node_memory_total')) {
      const host = hosts.ofNode(series.labels);
      const key = targetKey(series.labels);
      const totalBytes = lastValue(series);
      const availableBytes = available?.get(key);
      if (host === null || unread) continue;
      if (availableBytes === undefined) {
        out.gap({
          ref: host.ref,
          reads: ['memory'],
          code: 'not_supported',
          reason: `${host.name} does not tell MemAvailable: its kernel is older than 3.14`,
        });
        out.expect(host.ref, 'memory');
        continue;
      }
      const size = arcSize?.get(key);
      const reclaimableArcBytes = size === undefined ? null : Math.max(0, size - (arcMin?.get(key) ?? size));
      addReading(world, host.ref, series.labels, {
        kind: 'memory',
        totalBytes,
        unavailableBytes: Math.min(totalBytes, Math.max(0, totalBytes - availableBytes - (reclaimableArcBytes ?? 0))),
        reclaimableArcBytes,
        excludesCache: true,
        windowMs: context.windowMs.memory,
        observedRatio: Math.min(1, observed?.get(key) ?? 0),
      });
    }
  },
});

const valuesOf = ({ answers }: SurveyWorld, name: string): ReadonlyMap<string, number> =>
  new Map(answers.series(name).map((series) => [targetKey(series.labels), lastValue(series)]));
