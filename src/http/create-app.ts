/** The fastify instance: its limits, its headers, and how it fails. */
import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { type FastifyInstance, fastify } from 'fastify';
import { fail } from '../capabilities/answer.ts';
import type { Logger } from '../runtime/logger.ts';
import { addJsonParser } from './body-parser.ts';
import { answerClientError } from './client-error.ts';
import type { HttpServerLimits } from './http-server-limits.ts';
import { limitKey } from './identity.ts';
import { failureOf, replyFailure } from './reply-failure.ts';

/** Three times the length of an id, should each of its characters be percent-encoded. */
const MAX_PARAM_LENGTH = 3_000;
/** Callers whose requests are counted at the same time; the one that was away longest is forgotten first. */
const COUNTED_CALLERS = 5_000;

/**
 * Capabilities check what comes in and goes out with their own schemas. Saying so here keeps fastify from loading the
 * compilers of its own: a tenth of the start and of the memory.
 */
const noSchemas = (): never => {
  throw new TypeError('routes have no schemas of fastify');
};

const instance = (limits: HttpServerLimits): FastifyInstance =>
  fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.stalledMs,
    keepAliveTimeout: limits.keepAliveMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: false,
    genReqId: () => randomUUID(),
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    clientErrorHandler: answerClientError,
    // Called past every hook.
    frameworkErrors: (error, request, reply) => {
      reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
      void replyFailure(reply as never, failureOf(error, { requestId: request.id }));
    },
  });

const addFailures = (app: FastifyInstance, logger: Logger): void => {
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error, { requestId: request.id });
    const told = { requestId: request.id, method: request.method, route: request.routeOptions.url, err: error };
    if (failure.code === 'internal_error') logger.error(told, 'a request failed');
    if (failure.code === 'patrol_unavailable') logger.warn(told, 'a request could not be answered');
    return replyFailure(reply, failure);
  });
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (_request, reply) =>
    replyFailure(
      reply,
      fail('capability_not_found', 'there is nothing at this path; GET /api/agent/capabilities lists what there is'),
    ),
  );
};

export interface AppDeps {
  readonly logger: Logger;
  readonly limits: HttpServerLimits;
  /** Run for every request before its limit is looked at. */
  readonly addHooks: (app: FastifyInstance) => void;
  readonly addRoutes: (app: FastifyInstance) => void;
}

export const createApp = async ({ logger, limits, addHooks, addRoutes }: AppDeps): Promise<FastifyInstance> => {
  const app = instance(limits);
  app.server.maxConnections = limits.connections;
  // First, so that refusals carry the headers too.
  await app.register(helmet, {
    // Nothing here is a page.
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // patrold speaks plain HTTP; who puts TLS before it says so there.
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  });
  addHooks(app);
  await app.register(rateLimit, {
    timeWindow: 60_000,
    cache: COUNTED_CALLERS,
    keyGenerator: (request) => limitKey(request.identity, request.ip),
    max: (request) => (request.identity.kind === 'token' ? limits.perMinute : limits.anonymousPerMinute),
    errorResponseBuilder: () => Object.assign(new Error('too many requests'), { statusCode: 429 }),
  });
  addJsonParser(app);
  addFailures(app, logger);
  addRoutes(app);
  await app.ready();
  return app;
};
