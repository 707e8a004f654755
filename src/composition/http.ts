/** HTTP and metrics, put together; all of it is loaded only where it is served. */
import type { Config } from '../config/schema.ts';
import type { ReadinessCheck } from '../http/readiness.ts';
import type { Due, Timetable } from '../patrol/due.ts';
import type { OnRunEvent } from '../patrol/events.ts';
import type { LastSurvey } from '../patrol/source-metrics.ts';
import type { Essentials, Patrol } from './patrol.ts';
import type { OpenStores } from './stores.ts';

export interface HttpDeps {
  readonly essentials: Essentials;
  readonly config: Config;
  readonly directory: string;
  readonly version: string;
  readonly stores: OpenStores;
  readonly patrol: Patrol;
  readonly due: Due;
  readonly timetable: () => Timetable;
  readonly addListener: (listener: OnRunEvent) => unknown;
}

export interface Served {
  readonly address: string;
  close(): Promise<void>;
}

/** Of the sources in the config now, as an earlier process left them too. */
const lastSurveys =
  ({ stores, patrol }: HttpDeps) =>
  (): readonly LastSurvey[] =>
    patrol.settings().sources.flatMap(({ source: { id: sourceId } }) => {
      const last = stores.sources.last(sourceId, 'fast');
      return last === null ? [] : [{ sourceId, outcome: last.outcome, lastCompleteAtMs: last.lastCompleteAtMs }];
    });

const collectMetrics = async (deps: HttpDeps) => {
  const { essentials, stores, timetable, version, addListener } = deps;
  const [{ createMetrics }, { createRunMetrics }, { createSourceMetrics }, { addFindingMetrics }] = await Promise.all([
    import('../runtime/metrics.ts'),
    import('../patrol/run-metrics.ts'),
    import('../patrol/source-metrics.ts'),
    import('../patrol/finding-metrics.ts'),
  ]);
  const metrics = createMetrics({ version, nodeVersion: process.version });
  const { runs, queue } = stores;
  addListener(createRunMetrics({ metrics, runs, queue, timetable, startedAtMs: essentials.clock.nowMs() }));
  addListener(createSourceMetrics({ metrics, lastSurveys: lastSurveys(deps) }));
  addFindingMetrics({ metrics, counts: stores.findings.counts });
  return metrics;
};

const readinessChecks = ({ due, timetable }: HttpDeps, store: ReadinessCheck): readonly ReadinessCheck[] => [
  // Whoever has the database open has it migrated.
  { name: 'migrated', whyNot: () => null },
  {
    name: 'scheduled',
    whyNot: () => {
      const { patrol, watchEveryMs } = timetable();
      const isWanted = patrol !== null || watchEveryMs !== null;
      const isSet = due.next.patrolAtMs !== null || due.next.watchAtMs !== null;
      return isWanted && !isSet ? 'the schedule has not begun' : null;
    },
  },
  store,
];

const serveHttp = async (deps: HttpDeps, listen: string): Promise<Served> => {
  const { essentials, config, directory, version, stores, patrol } = deps;
  const { clock, logger, newId } = essentials;
  const [{ createHttpServer, urlOf }, { storeCheck }, { createTokenStore }, { ensureFirstToken }, metrics] =
    await Promise.all([
      import('../http/http-server.ts'),
      import('../http/readiness.ts'),
      import('../http/token-store.ts'),
      import('../http/first-token.ts'),
      collectMetrics(deps),
    ]);
  const [{ capabilities }, { createManifest }, { findingPortOf }, { createResourceReader }] = await Promise.all([
    import('../capabilities/index.ts'),
    import('../capabilities/manifest.ts'),
    import('../capabilities/finding-port.ts'),
    import('../evidence/resource-reader.ts'),
  ]);
  const tokens = createTokenStore({ db: stores.db, newId, clock, logger });
  const first = ensureFirstToken(tokens, directory);
  if (first !== null) logger.info({ file: first.path }, 'made the first token for HTTP; it is in this file');
  const server = createHttpServer({
    listen,
    metricsToken: config.http.metricsToken,
    clock,
    logger,
    capabilities,
    tokens,
    metrics,
    readiness: readinessChecks(deps, storeCheck(stores.db, clock)),
    ports: {
      findings: findingPortOf(stores.findings),
      runs: stores.runs,
      resources: createResourceReader(stores.db),
      settings: patrol.settings,
      manifest: createManifest(capabilities, version),
    },
  });
  const address = await server.listen();
  return { address: urlOf(address), close: server.close };
};

/** Null: the config wants none. Rejects with an `http_listen_*` error. */
export const startHttp = (deps: HttpDeps): Promise<Served | null> => {
  const { listen } = deps.config.http;
  return listen === false || listen === 'off' ? Promise.resolve(null) : serveHttp(deps, listen);
};
