/** What happens to every request, in this order: is patrold stopping, who is asked for, who asks; and in the end, the count. */
import type { FastifyInstance, FastifyRequest, preParsingAsyncHookHandler } from 'fastify';
import type { RequiredScope } from '../capabilities/access.ts';
import { fail } from '../capabilities/answer.ts';
import type { Logger } from '../runtime/logger.ts';
import { whyUnsupported } from './body-parser.ts';
import { hostRefusal, isHostAllowed } from './host-guard.ts';
import { callerOf, type Identity, identify, whyRefused } from './identity.ts';
import { replyFailure } from './reply-failure.ts';
import { UNIDENTIFIED } from './request-context.ts';
import type { CountRequest } from './request-metrics.ts';
import type { TokenStore } from './token-store.ts';

export interface RequestHooksDeps {
  readonly logger: Logger;
  readonly tokens: Pick<TokenStore, 'verify'>;
  readonly count: CountRequest;
  readonly isClosing: () => boolean;
  readonly isLoopback: () => boolean;
  /** What patrold was told to listen on, as a name that it may be called by. */
  readonly listenHost: string;
}

const nameOf = (identity: Identity): string | null => (identity.kind === 'token' ? callerOf(identity).name : null);

const routeOf = ({ is404, routeOptions }: FastifyRequest): string | null => (is404 ? null : (routeOptions.url ?? null));

export const addRequestHooks = (app: FastifyInstance, deps: RequestHooksDeps): void => {
  const { logger, tokens, count, isClosing, isLoopback, listenHost } = deps;
  app.decorateRequest('identity');
  app.addHook('onRequest', async (request, reply) => {
    request.identity = UNIDENTIFIED;
    reply.header('cache-control', 'no-store');
    if (isClosing()) {
      reply.header('connection', 'close');
      return replyFailure(reply, fail('patrol_unavailable', 'patrold is stopping'));
    }
    if (isLoopback() && !isHostAllowed(request.headers.host, listenHost)) return replyFailure(reply, hostRefusal());
    request.identity = identify(request.headers.authorization, tokens);
    return undefined;
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, identity, id } = request;
    const { statusCode: status, elapsedTime: durationMs } = reply;
    const route = routeOf(request);
    count({ method, route, status, durationMs });
    // Neither the URL nor any header: a client may have put a secret into the wrong one.
    const told = { requestId: id, method, route, status, durationMs, caller: nameOf(identity) };
    if (identity.kind === 'anonymous' && identity.shown)
      logger.warn(told, 'a request showed a token that is not in force');
    else logger.debug(told, 'request answered');
  });
};

/** Before a body is read: may this one do that, and could the body be read at all? */
export const requireScope =
  (scope: RequiredScope | (() => RequiredScope)): preParsingAsyncHookHandler =>
  async (request, reply, payload) => {
    const refused =
      whyRefused(request.identity, typeof scope === 'function' ? scope() : scope) ?? whyUnsupported(request);
    if (refused !== null) void replyFailure(reply, refused);
    return payload;
  };
