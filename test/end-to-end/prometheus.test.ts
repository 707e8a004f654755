import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { exporterHistory } from '../support/exporter-history.ts';
import { openPatrolHouse, type PatrolHouse } from '../support/patrol-house.ts';
import {
  type ExporterProcess,
  type PrometheusProcess,
  prometheusMissing,
  startNodeExporter,
  startPrometheus,
} from '../support/real-prometheus.ts';

const missing = prometheusMissing();
const MINUTE_MS = 60_000;
const TIMEOUT_MS = 60_000;
const SOURCE_FAULT = 'source/metrics source_unavailable';

describe.skipIf(missing !== null)(
  `a patrol of a real Prometheus${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    describe('that is cut off in the middle of a run', () => {
      let prometheus: PrometheusProcess;
      let proxy: CuttingProxy;
      beforeAll(async () => {
        prometheus = await startPrometheus({ history: exporterHistory(Date.now()).text() });
        proxy = await startCuttingProxy(prometheus.url);
      }, TIMEOUT_MS);
      afterAll(async () => {
        await proxy?.close();
        await prometheus?.stop();
      }, TIMEOUT_MS);

      const open = (): PatrolHouse =>
        openPatrolHouse({ sources: [{ id: 'metrics', type: 'prometheus', url: proxy.url }] });
      const known = (house: PatrolHouse): readonly string[] => house.active().filter((one) => one !== SOURCE_FAULT);
      const lives = (house: PatrolHouse): readonly string[] =>
        house
          .all()
          .filter(({ resourceId }) => !resourceId.startsWith('source/'))
          .map(({ id, state, episode, key, resourceId }) => `${id} ${resourceId} ${key} ${state} ${episode}`)
          .toSorted();

      test('at whichever request, no finding resolves, none is new, and the run says that it did not see everything', {
        timeout: 2 * TIMEOUT_MS,
      }, async () => {
        const house = open();
        await house.look();
        house.setAhead(MINUTE_MS);
        proxy.restore();
        await house.look();
        const requests = proxy.requests();
        const before = lives(house);
        expect(requests).toBeGreaterThan(40);
        expect(known(house).length).toBeGreaterThan(14);
        for (let cut = 1; cut <= requests; cut += 1) {
          proxy.cutFrom(cut);
          house.setAhead(1_000);
          const { run } = await house.look('watch');
          expect([run.state, lives(house)], `cut at request ${cut} of ${requests}`).toEqual(['completed', before]);
          expect(run.coverage?.sources[0]?.outcome, `cut at request ${cut}`).not.toBe('ok');
        }
        proxy.restore();
        await house.look();
        expect(lives(house)).toEqual(before);
        await house.close();
      });

      test('by its sudden death, no finding resolves, also in the runs after it', async () => {
        const house = open();
        await house.look();
        const before = lives(house);
        const dead = Promise.withResolvers<void>();
        proxy.cutFrom(20, () => void prometheus.kill().then(dead.resolve));
        await house.look();
        // The run may have given up on the answer in whose middle it was killed.
        await dead.promise;
        proxy.restore();
        for (let look = 0; look < 3; look += 1) {
          house.setAhead(5 * MINUTE_MS);
          expect((await house.look()).run.coverage?.sources[0]?.outcome).toBe('failed');
          expect(lives(house)).toEqual(before);
        }
        expect(house.active()).toContain(SOURCE_FAULT);
        expect(house.all().filter(({ stale }) => stale).length).toBe(known(house).length);
        await house.close();
      });
    });

    describe('beside the host source on the same machine', () => {
      let exporter: ExporterProcess;
      let prometheus: PrometheusProcess;

      beforeAll(async () => {
        exporter = await startNodeExporter();
        prometheus = await startPrometheus({ jobs: [{ job: 'node', targets: [exporter.instance] }] });
        await prometheus.until(
          'count_over_time(node_boot_time_seconds[1m])',
          ([result]) => Number(result?.value[1] ?? 0) >= 3,
        );
      }, TIMEOUT_MS);
      afterAll(async () => {
        await prometheus?.stop();
        await exporter?.stop();
      }, TIMEOUT_MS);

      test.each([
        ['host', 'metrics'],
        ['metrics', 'host'],
      ])('with %s first, each thing is one resource, and no fault is filed twice', async (...order) => {
        const sources = {
          host: { id: 'this-host', type: 'host' },
          metrics: { id: 'metrics', type: 'prometheus', url: prometheus.url },
        };
        const house = openPatrolHouse({
          sources: order.map((name) => sources[name as 'host']),
          // Whatever this machine is like, its root is in use: a fault that both sources see.
          alerts: { filesystem: { usage: { warning: 0.001, clear: 0 } } },
        });
        await house.look();
        house.setAhead(MINUTE_MS);
        await house.look();
        const seen = house.resources();
        expect(seen.filter(({ kind }) => kind === 'host')).toMatchObject([
          { sourceIds: expect.arrayContaining(['this-host', 'metrics']) },
        ]);
        const roots = seen.filter(({ kind, name }) => kind === 'filesystem' && name === '/');
        expect(roots).toHaveLength(1);
        const filed = house.active().filter((one) => one.endsWith(' high_disk'));
        expect(filed.filter((one) => one.startsWith(`${roots[0]?.id} `))).toHaveLength(1);
        expect(new Set(filed).size).toBe(filed.length);
        await house.close();
      });
    });
  },
);
