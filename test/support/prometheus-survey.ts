/** Surveys of a Prometheus as tests ask for them. */
import { createHttpPrometheusApi } from '../../src/sources/prometheus/http-prometheus-api.ts';
import type { PrometheusApi } from '../../src/sources/prometheus/prometheus-api.ts';
import { type PrometheusConfig, prometheusConfigSchema } from '../../src/sources/prometheus/prometheus-config.ts';
import { createPrometheusSource } from '../../src/sources/prometheus/prometheus-source.ts';
import type { Sighting, SourceState, SurveyRequest } from '../../src/sources/source.ts';
import { createMemoryState } from './memory-state.ts';
import { surveyRequest } from './source-deps.ts';

export interface Surveying {
  readonly state?: SourceState;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly api?: PrometheusApi;
  readonly nowMs?: () => number;
}

const MINUTE_MS = 60_000;

/** The windows of the default limits. */
export const DEFAULT_WINDOWS = {
  cpu: [15 * MINUTE_MS],
  memory: [15 * MINUTE_MS],
  temperature: [5 * MINUTE_MS],
} as const;

/** Surveys the same source each time it is called. */
export const surveyingOf = (
  url: string,
  { state = createMemoryState(), config = {}, api, nowMs = Date.now }: Surveying = {},
) => {
  const settings: PrometheusConfig = prometheusConfigSchema.parse({ url, ...config });
  const source = createPrometheusSource({
    id: 'metrics',
    config: settings,
    state,
    clock: { nowMs },
    api: api ?? createHttpPrometheusApi(settings),
  });
  return async (request: Partial<SurveyRequest> = {}): Promise<Sighting> => {
    const sighting = await source.survey(surveyRequest({ windowsMs: DEFAULT_WINDOWS, ...request }));
    await source.close();
    return sighting;
  };
};
