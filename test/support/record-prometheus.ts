/** Writes what a Prometheus answers into a directory, as `recorded-prometheus-api.ts` plays it back. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asked, PrometheusApi } from '../../src/sources/prometheus/prometheus-api.ts';
import { NAMES_FILE, TARGETS_FILE } from '../../src/sources/prometheus/recorded-prometheus-api.ts';

/** Only what is answered is recorded. */
export const recordingPrometheusApi = (api: PrometheusApi, directory: string): PrometheusApi => {
  mkdirSync(directory, { recursive: true });
  const keep = (file: string, answer: Asked<unknown>): Asked<unknown> => {
    if (answer.ok) writeFileSync(join(directory, file), `${JSON.stringify(answer.value)}\n`);
    return answer;
  };
  return {
    ...api,
    metricNames: async (question, signal) => keep(NAMES_FILE, await api.metricNames(question, signal)),
    ask: async (question, signal) => keep(`${question.name}.json`, await api.ask(question, signal)),
    targets: async (signal) => keep(TARGETS_FILE, await api.targets(signal)),
  };
};
