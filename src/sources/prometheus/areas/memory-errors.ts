/** EDAC counters of memory controllers. */
import { metrics } from '../../../../signals/history.ts';
import { targetKey } from '../answer.ts';
import { lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import type { NamedQuery } from '../named-query.ts';
import { pastSeries } from '../past-series.ts';
import type { Selector } from '../promql.ts';
import { addReading, type SurveyWorld, toOurs } from '../survey-world.ts';

const METRIC = {
  correctable: 'node_edac_correctable_errors_total',
  uncorrectable: 'node_edac_uncorrectable_errors_total',
} as const;
type Sort = keyof typeof METRIC;

const PAST = { spanMs: 7 * 24 * 3_600_000, stepMs: 6 * 3_600_000 };

/** Over all controllers of a host. */
const sum = (select: Selector, sort: Sort, at = ''): string => `sum by (job, instance) (${select(METRIC[sort])}${at})`;

const queries = (['correctable', 'uncorrectable'] as const).flatMap((sort): readonly NamedQuery[] => [
  {
    name: `node_memory_${sort}`,
    needs: [METRIC[sort]],
    reads: ['memory_errors'],
    promql: ({ select }) => sum(select, sort),
  },
  {
    name: `node_memory_${sort}_past`,
    needs: [METRIC[sort]],
    reads: ['memory_errors'],
    range: PAST,
    promql: ({ select }) => `${sum(select, sort)} and (${sum(select, sort, ' @ end()')} > 0)`,
    when: (first) => first.series(`node_memory_${sort}`).some((series) => lastValue(series) > 0),
  },
]);

export const memoryErrorsArea = defineArea({
  name: 'memory-errors',
  queries,
  map: (world) => {
    const { answers, hosts } = world;
    const uncorrectable = new Map(
      answers.series('node_memory_uncorrectable').map((series) => [targetKey(series.labels), lastValue(series)]),
    );
    for (const series of answers.series('node_memory_correctable')) {
      const host = hosts.ofNode(series.labels);
      const uncorrectableErrors = uncorrectable.get(targetKey(series.labels));
      if (host === null || uncorrectableErrors === undefined) continue;
      const bootS = host.node?.bootS ?? null;
      addReading(world, host.ref, series.labels, {
        kind: 'memory_errors',
        correctable: lastValue(series),
        uncorrectable: uncorrectableErrors,
        bootedAtMs: bootS === null ? null : toOurs(world, bootS * 1000),
      });
    }
    addPast(world, 'node_memory_correctable_past', metrics.memoryCorrectable);
    addPast(world, 'node_memory_uncorrectable_past', metrics.memoryUncorrectable);
  },
});

const addPast = (world: SurveyWorld, name: string, metric: string): void => {
  for (const { labels, points } of world.answers.series(name)) {
    const host = world.hosts.ofNode(labels);
    if (host !== null) world.out.series(pastSeries(world, host.ref, metric, points));
  }
};
