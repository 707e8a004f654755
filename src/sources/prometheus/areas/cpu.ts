/** CPU use, averaged by Prometheus over the window that the limits ask for. */
import { type Labels, targetKey } from '../answer.ts';
import { label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { observedShare, seconds } from '../promql.ts';
import { addReading } from '../survey-world.ts';

interface Modes {
  readonly labels: Labels;
  readonly byMode: Map<string, number>;
}

export const cpuArea = defineArea({
  name: 'cpu',
  queries: [
    {
      name: 'node_cpu',
      needs: ['node_cpu_seconds_total'],
      reads: ['cpu'],
      promql: ({ select, windowMs }) =>
        `avg by (job, instance, mode) (rate(${select('node_cpu_seconds_total')}[${seconds(windowMs.cpu)}]))`,
    },
    {
      name: 'node_cpu_observed',
      needs: ['node_cpu_seconds_total', 'node_boot_time_seconds'],
      reads: ['cpu'],
      promql: ({ select, windowMs }) => observedShare(select('node_boot_time_seconds'), windowMs.cpu),
    },
  ],
  map: (world) => {
    const { answers, hosts, context } = world;
    // Without its share observed a mean would look as if its window were only filling.
    const isUnread = answers.state('node_cpu_observed') === 'failed';
    const observed = new Map(
      answers.series('node_cpu_observed').map((series) => [targetKey(series.labels), lastValue(series)]),
    );
    const byTarget = new Map<string, Modes>();
    for (const series of answers.series('node_cpu')) {
      const key = targetKey(series.labels);
      const modes = byTarget.get(key) ?? { labels: series.labels, byMode: new Map() };
      modes.byMode.set(label(series.labels, 'mode'), lastValue(series));
      byTarget.set(key, modes);
    }
    for (const [key, { labels, byMode }] of byTarget) {
      const host = hosts.ofNode(labels);
      const use = host === null ? null : cpuUse(byMode);
      const observedRatio = Math.min(1, observed.get(key) ?? 0);
      if (host === null || use === null || isUnread) continue;
      addReading(world, host.ref, labels, { kind: 'cpu', ...use, windowMs: context.windowMs.cpu, observedRatio });
    }
  },
});

/** Null where the modes are no shares of time. `guest` is part of `user` and not among them. */
export const cpuUse = (byMode: ReadonlyMap<string, number>) => {
  const total = [...byMode.values()].reduce((sum, share) => sum + share, 0);
  const idle = byMode.get('idle');
  if (idle === undefined || !(total > 0)) return null;
  const iowait = byMode.get('iowait') ?? null;
  const steal = byMode.get('steal') ?? null;
  const busy = total - idle - (iowait ?? 0) - (steal ?? 0);
  return {
    busyRatio: Math.max(0, busy / total),
    iowaitRatio: iowait === null ? null : iowait / total,
    stealRatio: steal === null ? null : steal / total,
  };
};
