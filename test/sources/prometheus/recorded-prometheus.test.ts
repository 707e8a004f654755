import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpPrometheusApi } from '../../../src/sources/prometheus/http-prometheus-api.ts';
import type { PrometheusApi } from '../../../src/sources/prometheus/prometheus-api.ts';
import { prometheusConfigSchema } from '../../../src/sources/prometheus/prometheus-config.ts';
import { createRecordedPrometheusSource } from '../../../src/sources/prometheus/recorded-prometheus.ts';
import type { Sighting } from '../../../src/sources/source.ts';
import { STANDING_GAPS } from '../../../src/sources/survey-source.ts';
import { exporterHistory } from '../../support/exporter-history.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { DEFAULT_WINDOWS, surveyingOf } from '../../support/prometheus-survey.ts';
import { type PrometheusProcess, prometheusMissing, startPrometheus } from '../../support/real-prometheus.ts';
import { recordingPrometheusApi } from '../../support/record-prometheus.ts';
import { sourceDeps, surveyRequest } from '../../support/source-deps.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const missing = prometheusMissing();
const HOUR_MS = 3_600_000;

describe.skipIf(missing !== null)(
  `a real Prometheus, recorded and killed${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let prometheus: PrometheusProcess;
    beforeAll(async () => {
      prometheus = await startPrometheus({ history: exporterHistory(Date.now()).text() });
    });
    afterAll(() => prometheus.stop());

    it('gives the same from a recording, at its own time and an hour later', async () => {
      const directory = temporaryDirectory();
      const api = createHttpPrometheusApi(prometheusConfigSchema.parse({ url: prometheus.url }));
      const recordedAtMs = Date.now();
      const live = await surveyingOf(prometheus.url, {
        api: recordingPrometheusApi(api, directory),
        nowMs: () => recordedAtMs,
      })();
      const replay = (nowAtMs: number) =>
        createRecordedPrometheusSource({
          ...sourceDeps({ clock: createFakeClock(nowAtMs) }),
          id: 'metrics',
          directory,
          recordedAtMs,
        }).survey(surveyRequest({ windowsMs: DEFAULT_WINDOWS }));
      const atOnce = await replay(recordedAtMs);
      expect(atOnce.claims).toEqual(live.claims);
      expect(atOnce.gaps).toEqual(live.gaps);
      const untimed = ({ readings }: Sighting) =>
        readings.map(({ takenAtMs: _, ...reading }) => ({ ...reading, sinceMs: 0 }));
      expect(atOnce.readings.map(({ ref, kind }) => [ref, kind])).toEqual(
        live.readings.map(({ ref, kind }) => [ref, kind]),
      );
      const later = await replay(recordedAtMs + HOUR_MS);
      expect(later.claims).toEqual(atOnce.claims);
      const still = (sighting: Sighting) => untimed(sighting).filter(({ kind }) => kind !== 'unit');
      expect(still(later)).toEqual(still(atOnce));
      expect(later.readings.map(({ takenAtMs }) => takenAtMs - HOUR_MS)).toEqual(
        atOnce.readings.map(({ takenAtMs }) => takenAtMs),
      );
      expect(later.series.map(({ samples }) => samples.at(-1)?.atMs)).toEqual(
        atOnce.series.map(({ samples }) => (samples.at(-1)?.atMs ?? 0) + HOUR_MS),
      );
    });

    it('is partial when it is killed in the middle of a survey, and lists nothing that it did not see to the end', async () => {
      const api = createHttpPrometheusApi(prometheusConfigSchema.parse({ url: prometheus.url }));
      let asked = 0;
      const dying: PrometheusApi = {
        ...api,
        ask: (question, signal) => {
          asked += 1;
          if (asked === 12) void prometheus.kill();
          return api.ask(question, signal);
        },
      };
      const cut = await surveyingOf(prometheus.url, { api: dying })();
      const broken = cut.gaps.filter(({ code }) => !STANDING_GAPS.has(code));
      expect(broken.length).toBeGreaterThan(0);
      expect(broken.every(({ ref }) => ref === null)).toBe(true);
      const kinds = new Set(cut.readings.map(({ kind }) => kind));
      for (const kind of ['unit', 'container_memory', 'certificate', 'smart'] as const)
        expect(kinds.has(kind), kind).toBe(false);
      expect(cut.listed.filter(({ kind }) => kind !== 'host')).toEqual([]);
      await expect(surveyingOf(prometheus.url)()).rejects.toThrowError(/is it running/);
    });
  },
);
