/** One route for each capability, and a plain no for every other method of its path. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '../capabilities/answer.ts';
import { callCapability } from '../capabilities/call-capability.ts';
import type { AnyCapability } from '../capabilities/capability.ts';
import type { CapabilityPorts } from '../capabilities/ports.ts';
import type { Clock } from '../runtime/clock.ts';
import { callerOf } from './identity.ts';
import { createUrlReader, type RawInput, type UrlInput } from './query-input.ts';
import { replyFailure } from './reply-failure.ts';
import { requireScope } from './request-hooks.ts';

export interface CapabilityRoutesDeps {
  readonly capabilities: readonly AnyCapability[];
  readonly ports: CapabilityPorts;
  readonly clock: Pick<Clock, 'nowMs'>;
}

const hasBody = ({ method }: AnyCapability): boolean => method !== 'GET' && method !== 'DELETE';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body's properties beside those of the path; a URL carries nothing else then. */
const withBody = ({ values, problems }: RawInput, { query, params }: UrlInput, body: unknown): RawInput => {
  if (body !== undefined && !isObject(body)) {
    return { values, problems: [...problems, { path: '', message: 'the body must be a JSON object' }] };
  }
  const inQuery = Object.keys(query).map((path) => ({ path, message: 'it belongs into the body' }));
  const inPath = Object.keys(body ?? {})
    .filter((name) => Object.hasOwn(params, name))
    .map((path) => ({ path, message: 'it is given by the path' }));
  return { values: { ...body, ...params }, problems: [...problems, ...inQuery, ...inPath] };
};

const addRoute = (app: FastifyInstance, capability: AnyCapability, { ports, clock }: CapabilityRoutesDeps): void => {
  const readUrl = createUrlReader(capability);
  const inputOf = (request: FastifyRequest): RawInput => {
    const url = { query: request.query, params: request.params } as UrlInput;
    return hasBody(capability) ? withBody(readUrl({ ...url, query: {} }), url, request.body) : readUrl(url);
  };
  app.route({
    method: capability.method,
    url: capability.path,
    preParsing: requireScope(capability.scope),
    handler: async (request, reply) => {
      const { values, problems } = inputOf(request);
      const caller = callerOf(request.identity);
      const context = { ports, caller, nowMs: clock.nowMs(), signal: request.signal };
      const answer = await callCapability(capability, values, context, problems);
      return answer.ok ? reply.send(answer.value) : replyFailure(reply, answer);
    },
  });
};

/** `allowed`: the methods that the path has. */
export const refuseOtherMethods = (app: FastifyInstance, url: string, allowed: readonly string[]): void => {
  const answered = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
  const method = app.supportedMethods.filter((each) => !answered.includes(each));
  app.route({
    method,
    url,
    // Before anything of a body is looked at.
    preParsing: async (_request, reply, payload) => {
      reply.header('allow', answered.join(', '));
      void replyFailure(reply, fail('method_not_allowed', `this path has ${answered.join(', ')}`));
      return payload;
    },
    handler: (_request, reply) => reply,
  });
};

export const addCapabilityRoutes = (app: FastifyInstance, deps: CapabilityRoutesDeps): void => {
  for (const capability of deps.capabilities) addRoute(app, capability, deps);
  for (const [path, own] of Map.groupBy(deps.capabilities, (capability) => capability.path)) {
    refuseOtherMethods(
      app,
      path,
      own.map(({ method }) => method),
    );
  }
};
