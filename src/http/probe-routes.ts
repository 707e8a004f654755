/** What machines ask: is it alive, can it work, how is it doing. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../runtime/metrics.ts';
import { refuseOtherMethods } from './capability-routes.ts';
import type { Readiness } from './readiness.ts';
import { requireScope } from './request-hooks.ts';

export interface ProbeRoutesDeps {
  readonly metrics: Pick<Metrics, 'page' | 'contentType'>;
  readonly readiness: () => Readiness;
  /** Open where only this machine can ask, unless the config says otherwise. */
  readonly areMetricsOpen: () => boolean;
}

/** Probes come from supervisors, which act on a refusal: they are never limited. */
const unlimited = { config: { rateLimit: false as const } };

export const addProbeRoutes = (app: FastifyInstance, { metrics, readiness, areMetricsOpen }: ProbeRoutesDeps): void => {
  app.get('/healthz', unlimited, async () => ({ status: 'alive' }));
  app.get('/readyz', unlimited, async (_request, reply) => {
    const { ready, checks } = readiness();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not_ready', checks });
  });
  app.get(
    '/metrics',
    { preParsing: requireScope(() => (areMetricsOpen() ? 'open' : 'read')) },
    async (_request, reply) => {
      const page = await metrics.page();
      return reply.type(metrics.contentType).send(page);
    },
  );
  for (const path of ['/healthz', '/readyz', '/metrics']) refuseOtherMethods(app, path, ['GET']);
};
