/** How far hosts' clocks are off, as the kernel knows it (adjtimex). */
import { metrics } from '../../../../signals/history.ts';
import { targetKey } from '../answer.ts';
import { label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { pastSeries } from '../past-series.ts';
import { anyOf } from '../promql.ts';
import { addReading } from '../survey-world.ts';

const METRICS = ['node_timex_sync_status', 'node_timex_offset_seconds', 'node_timex_maxerror_seconds'];
const PAST = { spanMs: 30 * 60_000, stepMs: 60_000 };

export const clockArea = defineArea({
  name: 'clock',
  queries: [
    {
      name: 'node_clock',
      needs: ['node_timex_sync_status'],
      reads: ['clock'],
      promql: ({ select }) => anyOf(select, METRICS),
    },
    {
      name: 'node_clock_past',
      needs: ['node_timex_offset_seconds'],
      reads: ['clock'],
      range: PAST,
      // Of clocks that are about right nobody needs to know whether they converge.
      promql: ({ select }) =>
        `${select('node_timex_offset_seconds')} and (abs(${select('node_timex_offset_seconds')} @ end()) > 0.02)`,
    },
  ],
  map: (world) => {
    const { answers, hosts, out } = world;
    const byTarget = Map.groupBy(answers.series('node_clock'), ({ labels }) => targetKey(labels));
    for (const parts of byTarget.values()) {
      const labels = parts[0]?.labels ?? {};
      const host = hosts.ofNode(labels);
      const values = new Map(parts.map((series) => [label(series.labels, '__name__'), lastValue(series)]));
      const [sync, offsetS, maxErrorS] = METRICS.map((name) => values.get(name));
      if (host === null || sync === undefined) continue;
      addReading(world, host.ref, labels, {
        kind: 'clock',
        synchronised: sync === 1,
        offsetMs: offsetS === undefined ? null : offsetS * 1000,
        // The kernel lets it grow while nobody disciplines the clock, up to 16 s (NTP_PHASE_LIMIT of linux/timex.h).
        estimatedErrorMs: maxErrorS === undefined ? null : maxErrorS * 1000,
        resolutionMs: 1,
      });
    }
    for (const { labels, points } of answers.series('node_clock_past')) {
      const host = hosts.ofNode(labels);
      if (host !== null) out.series(pastSeries(world, host.ref, metrics.clockOffset, points, 1000));
    }
  },
});
