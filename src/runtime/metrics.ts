/**
 * The page that Prometheus scrapes: one injected registry, to which each part adds the metrics that it owns.
 * The only import of prom-client, which is loaded by the daemon alone.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly contentType: string;
  page(): Promise<string>;
  /** A gauge whose series are read when the page is asked for. */
  addReadGauge<L extends string>(gauge: ReadGauge<L>): void;
}

export interface ReadGauge<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly L[];
  /** Every series there is now. When it throws, the page goes out without them, and the failure is counted. */
  read(): Iterable<Series<L>>;
}

export interface Series<L extends string> {
  readonly labels: Readonly<Record<L, string>>;
  readonly value: number;
}

export interface MetricsDeps {
  /** patrold's own. */
  readonly version: string;
  readonly nodeVersion: string;
}

/** How often the event loop's delay is sampled; prom-client's 10 ms would wake an idle daemon a hundred times a second. */
const EVENT_LOOP_SAMPLE_MS = 100;

/** prom-client's gauges that are named like counters (`…_total`), which promtool objects to; their parts are kept. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

const addProcessMetrics = (registry: Registry): void => {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
};

const addBuildInfo = (registry: Registry, { version, nodeVersion }: MetricsDeps): void => {
  const info = new Gauge({
    name: 'patrold_build_info',
    help: 'Which patrold this is, and which Node.js it runs on; always 1',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  info.set({ version, node: nodeVersion }, 1);
};

export const createMetrics = (deps: MetricsDeps): Metrics => {
  const registry = new Registry();
  addProcessMetrics(registry);
  addBuildInfo(registry, deps);
  const unread = new Counter({
    name: 'patrold_metric_read_failures_total',
    help: 'Times that a metric could not be read for the page',
    labelNames: ['metric'],
    registers: [registry],
  });
  return {
    registry,
    contentType: registry.contentType,
    page: () => registry.metrics(),
    addReadGauge: ({ name, help, labelNames, read }) => {
      unread.inc({ metric: name }, 0);
      new Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        collect() {
          this.reset();
          try {
            for (const { labels, value } of read()) this.set(labels, value);
          } catch {
            this.reset();
            unread.inc({ metric: name });
          }
        },
      });
    },
  };
};

/** Prometheus wants seconds. */
export const secondsOf = (ms: number): number => ms / 1000;
