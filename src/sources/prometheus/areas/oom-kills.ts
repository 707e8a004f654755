/** Kernel OOM kills since the last survey, by the counter that node_exporter reads from /proc/vmstat. */
import { type Labels, targetKey } from '../answer.ts';
import { lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import type { QueryContext } from '../named-query.ts';
import { addReading, type SurveyWorld, toOurs } from '../survey-world.ts';

const counter = ({ select }: QueryContext): string => select('node_vmstat_oom_kill');
/** Kills in named containers: those belong to the container, and the kernel's counter holds them too. */
const containers = ({ select }: QueryContext): string =>
  `sum by (job, instance) (${select('container_oom_events_total', 'name!=""')})`;
/** The very samples that the survey before has seen, so that no kill falls between the two. */
const then = ({ eventsSinceMs }: QueryContext): number => eventsSinceMs;

export const oomKillsArea = defineArea({
  name: 'oom-kills',
  queries: [
    { name: 'node_oom', needs: ['node_vmstat_oom_kill'], reads: ['oom_kills'], promql: counter },
    { name: 'node_oom_before', needs: ['node_vmstat_oom_kill'], reads: ['oom_kills'], promql: counter, atMs: then },
    { name: 'container_oom', needs: ['container_oom_events_total'], reads: ['oom_kills'], promql: containers },
    {
      name: 'container_oom_before',
      needs: ['container_oom_events_total'],
      reads: ['oom_kills'],
      promql: containers,
      atMs: then,
    },
  ],
  map: (world) => {
    const { answers, hosts, context } = world;
    if (answers.state('node_oom_before') === 'failed') return;
    const before = new Map(
      answers.series('node_oom_before').map((series) => [targetKey(series.labels), lastValue(series)]),
    );
    const inContainers = containerKills(world);
    for (const series of answers.series('node_oom')) {
      const host = hosts.ofNode(series.labels);
      if (host === null) continue;
      const bootedAtMs = (host.node?.bootS ?? 0) * 1000;
      const all = increase(before.get(targetKey(series.labels)), lastValue(series), bootedAtMs > context.eventsSinceMs);
      addReading(world, host.ref, series.labels, {
        kind: 'oom_kills',
        sinceMs: toOurs(world, context.eventsSinceMs),
        kills: null,
        count: Math.max(0, all - (inContainers.get(host.ref) ?? 0)),
      });
    }
  },
});

/** A counter that fell was reset; one that was not there before counts from the boot, if that came since. */
export const increase = (before: number | undefined, now: number, bootedSince: boolean): number => {
  if (before === undefined) return bootedSince ? now : 0;
  return now >= before ? now - before : now;
};

const containerKills = (world: SurveyWorld): ReadonlyMap<string, number> => {
  const { answers, hosts } = world;
  const before = new Map(
    answers.series('container_oom_before').map((series) => [targetKey(series.labels), lastValue(series)]),
  );
  const kills = new Map<string, number>();
  for (const series of answers.series('container_oom')) {
    const ref = hostRef(hosts.known(series.labels)?.ref, series.labels);
    // Containers that are gone took their counts with them: then the sum says nothing about what came since.
    const earlier = before.get(targetKey(series.labels));
    if (earlier !== undefined) kills.set(ref, (kills.get(ref) ?? 0) + Math.max(0, lastValue(series) - earlier));
  }
  return kills;
};

const hostRef = (ref: string | undefined, labels: Labels): string => ref ?? `unknown ${targetKey(labels)}`;
