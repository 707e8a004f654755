/** patrold's HTTP server: capabilities, probes and metrics, on loopback unless told otherwise. */
import type { FastifyInstance } from 'fastify';
import type { AnyCapability } from '../capabilities/capability.ts';
import type { CapabilityPorts } from '../capabilities/ports.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { addCapabilityRoutes } from './capability-routes.ts';
import { createApp } from './create-app.ts';
import { type HttpServerLimits, httpServerLimits } from './http-server-limits.ts';
import { formatAddress, isLoopbackAddress, type ListenAddress, parseListen } from './listen-address.ts';
import { listenError } from './listen-error.ts';
import { addProbeRoutes } from './probe-routes.ts';
import { createReadiness, type Readiness, type ReadinessCheck } from './readiness.ts';
import { addRequestHooks } from './request-hooks.ts';
import { type CountRequest, createRequestMetrics } from './request-metrics.ts';
import type { TokenStore } from './token-store.ts';

export interface HttpServerDeps {
  /** `127.0.0.1:7790`; port 0 takes a free one. */
  readonly listen: string;
  /** Whether `/metrics` asks for a token on loopback too. */
  readonly metricsToken: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly capabilities: readonly AnyCapability[];
  readonly ports: CapabilityPorts;
  readonly tokens: Pick<TokenStore, 'verify'>;
  readonly readiness: readonly ReadinessCheck[];
  readonly metrics: Metrics;
  readonly limits?: Partial<HttpServerLimits>;
}

export interface HttpServer {
  /** Resolves when requests are taken. Rejects with an `http_listen_*` error, after which nothing is left open. */
  listen(): Promise<ListenAddress>;
  /** Null: it does not listen. */
  readonly address: ListenAddress | null;
  /** Takes no more requests, and resolves when those under way have ended, or their time is over. */
  close(): Promise<void>;
}

interface ServerState {
  readonly logger: Logger;
  readonly limits: HttpServerLimits;
  readonly count: CountRequest;
  readonly readiness: () => Readiness;
  app: FastifyInstance | null;
  address: ListenAddress | null;
  /** Only this machine can ask. */
  isLoopback: boolean;
  closing: Promise<void> | null;
}

/** Where to, in words for a log and for `curl`. */
export const urlOf = (address: ListenAddress): string => `http://${formatAddress(address)}`;

const buildApp = (deps: HttpServerDeps, state: ServerState, listenHost: string): Promise<FastifyInstance> => {
  const { clock, capabilities, ports, tokens, metrics, metricsToken } = deps;
  const { logger, limits, count, readiness } = state;
  const isLoopback = (): boolean => state.isLoopback;
  return createApp({
    logger,
    limits,
    addHooks: (app) =>
      addRequestHooks(app, { logger, tokens, count, isClosing: () => state.closing !== null, isLoopback, listenHost }),
    addRoutes: (app) => {
      addProbeRoutes(app, { metrics, readiness, areMetricsOpen: () => isLoopback() && !metricsToken });
      addCapabilityRoutes(app, { capabilities, ports, clock });
    },
  });
};

const start = async (deps: HttpServerDeps, state: ServerState): Promise<ListenAddress> => {
  const { logger } = state;
  const wanted = parseListen(deps.listen);
  const app = await buildApp(deps, state, wanted.host);
  try {
    await app.listen({ ...wanted, listenTextResolver: () => '' });
  } catch (cause) {
    await app.close();
    throw listenError(cause, wanted);
  }
  // A pipe would be a text; patrold listens on addresses alone.
  const bound = app.addresses().filter((each) => typeof each !== 'string');
  const [first] = bound;
  if (first === undefined) throw new TypeError('a server that listens has an address');
  const address = { host: first.address, port: first.port };
  state.isLoopback = bound.every((each) => isLoopbackAddress(each.address));
  state.app = app;
  state.address = address;
  logger.info({ url: urlOf(address) }, 'listening');
  if (!state.isLoopback) {
    logger.warn(
      { url: urlOf(address) },
      'other machines can reach this address: without TLS before it, tokens can be read',
    );
  }
  return address;
};

const stop = async (
  app: FastifyInstance,
  { clock }: HttpServerDeps,
  { logger, limits }: ServerState,
): Promise<void> => {
  const done = new AbortController();
  const ended = app.close().finally(() => done.abort());
  const late = clock.sleep(limits.closeMs, done.signal).then(
    () => {
      logger.warn({ afterMs: limits.closeMs }, 'requests that are still under way are cut off');
      app.server.closeAllConnections();
    },
    () => undefined,
  );
  await Promise.all([ended, late]);
};

export const createHttpServer = (deps: HttpServerDeps): HttpServer => {
  const state: ServerState = {
    logger: deps.logger.child({ component: 'http' }),
    limits: { ...httpServerLimits, ...deps.limits },
    count: createRequestMetrics(deps.metrics),
    readiness: createReadiness(deps.readiness, deps.clock),
    app: null,
    address: null,
    isLoopback: false,
    closing: null,
  };
  return {
    listen: () => start(deps, state),
    get address() {
      return state.closing === null ? state.address : null;
    },
    close: () => {
      if (state.app === null) return Promise.resolve();
      state.closing ??= stop(state.app, deps, state);
      return state.closing;
    },
  };
};
