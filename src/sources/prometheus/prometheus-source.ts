/** A Prometheus, and through it what it scrapes: node_exporter, smartctl_exporter, cAdvisor and others. */
import type { ReadingKind } from '../../../signals/reading.ts';
import { defineSource, type Source } from '../source.ts';
import { namedQueries } from './areas/index.ts';
import { createHttpPrometheusApi } from './http-prometheus-api.ts';
import { createPastAnswers } from './past-answers.ts';
import { type PrometheusConfig, prometheusConfigSchema } from './prometheus-config.ts';
import { readMetricNames, readServerTime, type SurveyDeps, surveyPrometheus } from './survey-prometheus.ts';

const READS: readonly ReadingKind[] = [
  'target',
  'boot',
  'cpu',
  'memory',
  'filesystem',
  'capacity',
  'smart',
  'temperature',
  'array',
  'zfs_pool',
  'unit',
  'clock',
  'bond',
  'memory_errors',
  'oom_kills',
  'container_memory',
  'probe',
  'certificate',
];

/** Over a real or a recorded Prometheus. */
export const createPrometheusSource = (deps: Omit<SurveyDeps, 'past'>): Source => {
  const past = createPastAnswers();
  const { api, config, id } = deps;
  return {
    id,
    type: 'prometheus',
    survey: (request) => surveyPrometheus({ ...deps, past }, request),
    probe: async (signal) => {
      const atMs = await readServerTime(api, signal);
      const { present } = await readMetricNames(api, config, atMs, signal);
      const ours = new Set(namedQueries.flatMap(({ needs, oneOf = [] }) => [...needs, ...oneOf]));
      const used = [...ours].filter((metric) => present.has(metric));
      return `Prometheus at ${api.origin} has ${present.size} metrics, ${used.length} of which patrold reads`;
    },
    close: () => Promise.resolve(api.close()),
  };
};

export const prometheusSource = defineSource<PrometheusConfig>({
  type: 'prometheus',
  configSchema: prometheusConfigSchema,
  reads: READS,
  defaultTimeoutMs: 60_000,
  keepsHistory: true,
  create: (id, config, { clock, state }) =>
    createPrometheusSource({ id, config, clock, state, api: createHttpPrometheusApi(config) }),
});
