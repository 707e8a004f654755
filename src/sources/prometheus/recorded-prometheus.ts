/** A recorded Prometheus as a source, for scenarios. */
import type { SourceId } from '../../../signals/resource.ts';
import type { Source, SourceDeps } from '../source.ts';
import { type PrometheusConfig, prometheusConfigSchema } from './prometheus-config.ts';
import { createPrometheusSource } from './prometheus-source.ts';
import { createRecordedPrometheusApi } from './recorded-prometheus-api.ts';

export interface RecordedPrometheusDeps extends Pick<SourceDeps, 'clock' | 'state'> {
  readonly id: SourceId;
  /** See `recorded-prometheus-api.ts`. */
  readonly directory: string;
  readonly recordedAtMs: number;
  readonly config?: PrometheusConfig;
}

export const createRecordedPrometheusSource = (deps: RecordedPrometheusDeps): Source => {
  const { id, directory, recordedAtMs, clock, state } = deps;
  const config = deps.config ?? prometheusConfigSchema.parse({ url: 'http://recorded.invalid:9090' });
  const api = createRecordedPrometheusApi({ directory, recordedAtMs, nowMs: () => clock.nowMs() });
  return createPrometheusSource({ id, config, clock, state, api });
};
