/** How many findings there are of each sort, read from kept counts: their number costs nothing. */
import { DISPOSITIONS, FINDING_STATES } from '../../findings/finding.ts';
import { SEVERITIES, type Severity } from '../../signals/detector.ts';
import type { Metrics, Series } from '../runtime/metrics.ts';

export interface FindingCount {
  readonly state: string;
  readonly severity: Severity;
  readonly disposition: string;
  readonly count: number;
}

export interface FindingMetricsDeps {
  readonly metrics: Metrics;
  readonly counts: () => Iterable<FindingCount>;
}

type Label = 'state' | 'severity' | 'disposition';

/** Every sort, also those of which there is none: an alert on a series that comes and goes would miss both. */
const everySort = (): Map<string, { readonly labels: Record<Label, string>; value: number }> =>
  new Map(
    FINDING_STATES.flatMap((state) =>
      SEVERITIES.flatMap((severity) =>
        DISPOSITIONS.map((disposition) => [
          `${state} ${severity} ${disposition}`,
          { labels: { state, severity, disposition }, value: 0 },
        ]),
      ),
    ),
  );

const seriesOf = (counts: Iterable<FindingCount>): Iterable<Series<Label>> => {
  const sorts = everySort();
  for (const { state, severity, disposition, count } of counts) {
    const sort = sorts.get(`${state} ${severity} ${disposition}`);
    if (sort !== undefined) sort.value += count;
  }
  return sorts.values();
};

export const addFindingMetrics = ({ metrics, counts }: FindingMetricsDeps): void => {
  metrics.addReadGauge({
    name: 'patrold_findings',
    help: 'Findings that are kept, by severity, state, and what the operator decided about them',
    labelNames: ['severity', 'state', 'disposition'],
    read: () => seriesOf(counts()),
  });
};
