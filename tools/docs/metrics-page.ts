/** docs/metrics.md: what `/metrics` shows, from the registry that it is made of. */
import { createRequestMetrics } from '../../src/http/request-metrics.ts';
import { addFindingMetrics } from '../../src/patrol/finding-metrics.ts';
import { createRunMetrics } from '../../src/patrol/run-metrics.ts';
import { createSourceMetrics } from '../../src/patrol/source-metrics.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { code, page, sentence, table } from './markdown.ts';

const INTRODUCTION = `\`GET /metrics\`, in the format of Prometheus: open to this machine, with a token of scope \`read\` from elsewhere, and with
\`http.metricsToken: true\` always. Beside these there are the usual ones of a Node.js process (\`process_…\`, \`nodejs_…\`).

\`\`\`yaml
scrape_configs:
  - job_name: patrold
    static_configs: [{ targets: ["127.0.0.1:7790"] }]
    # authorization: { credentials_file: /etc/prometheus/patrold.token }   # from another machine
\`\`\``;

/** What every metric of prom-client has. */
interface Described {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames?: readonly string[];
}

const registered = (): readonly Described[] => {
  const metrics = createMetrics({ version: '', nodeVersion: '' });
  const timetable = () => ({ patrol: null, watchEveryMs: null });
  const runs = { lastGood: () => null, quietWatches: () => [] };
  createRunMetrics({ metrics, runs, queue: { depth: () => 0 }, timetable, startedAtMs: 0 });
  createSourceMetrics({ metrics, lastSurveys: () => [] });
  addFindingMetrics({ metrics, counts: () => [] });
  createRequestMetrics(metrics);
  return metrics.registry.getMetricsAsArray() as unknown as readonly Described[];
};

export const metricsPage = (): string =>
  page(
    'Metrics',
    'the metrics in src/',
    INTRODUCTION,
    table(
      ['metric', 'type', 'labels', 'meaning'],
      registered()
        .filter(({ name }) => name.startsWith('patrold_'))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map((metric) => [
          code(metric.name),
          metric.type,
          (metric.labelNames ?? []).map(code).join(', '),
          sentence(metric.help),
        ]),
    ),
  );
