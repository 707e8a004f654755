/** A Proxmox API over HTTPS: several endpoints of one cluster, of which one is enough. */
import type { Clock } from '../../runtime/clock.ts';
import { type HttpResult, httpFailure } from '../../runtime/http-failure.ts';
import type { HttpLimits } from '../../runtime/http-limits.ts';
import type { TlsOptions } from '../../runtime/http-tls.ts';
import type { CredentialSettings } from './credentials.ts';
import { createEndpoint, type Endpoint, isEndpointsFault, isGatewayStatus } from './endpoint.ts';
import type { ProxmoxProduct } from './product.ts';
import { proxmoxLimits } from './proxmox-limits.ts';
import type { ProxmoxAnswer, ProxmoxRequest, ProxmoxTransport } from './proxmox-transport.ts';
import { createSession } from './session.ts';

export interface HttpsTransportOptions extends CredentialSettings {
  /** Base URLs, in order of preference; at least one. */
  readonly endpoints: readonly string[];
  readonly caFile?: string | undefined;
  /** Of one or of each endpoint: a node shows a certificate of its own. */
  readonly fingerprint?: string | readonly string[] | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
}

export interface HttpsTransportDeps {
  readonly product: ProxmoxProduct;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

interface Station {
  readonly endpoint: Endpoint;
  avoidUntilMs: number;
}

/** Throws `http_client_invalid` on an address that can't work. */
export const createHttpsTransport = (
  options: HttpsTransportOptions,
  { product, clock }: HttpsTransportDeps,
): ProxmoxTransport => {
  const tls: TlsOptions = { caFile: options.caFile, fingerprint: options.fingerprint };
  const stations = options.endpoints.map(
    (url): Station => ({ endpoint: createEndpoint({ url, tls, limits: options.limits }), avoidUntilMs: 0 }),
  );
  const session = createSession({ product, settings: options, clock });
  const ask = async (
    endpoint: Endpoint,
    request: ProxmoxRequest,
    signal: AbortSignal,
  ): Promise<HttpResult<ProxmoxAnswer>> => {
    const headers = await session.headers(endpoint, signal);
    if (!headers.ok) return headers;
    const first = await endpoint.get(request, headers.value, signal);
    if (!first.ok || first.value.status !== 401) return first;
    // A ticket that ended early, or a secret that was renewed in its file: asked for once more, then believed.
    session.forget(headers.value);
    const renewed = await session.headers(endpoint, signal);
    if (!renewed.ok || same(renewed.value, headers.value)) return first;
    return endpoint.get(request, renewed.value, signal);
  };
  /** Those that answered lately first; each in the order of the config. */
  const inTurn = (nowMs: number): readonly Station[] => [
    ...stations.filter(({ avoidUntilMs }) => avoidUntilMs <= nowMs),
    ...stations.filter(({ avoidUntilMs }) => avoidUntilMs > nowMs),
  ];
  return {
    origin: () => inTurn(clock.monotonicMs())[0]?.endpoint.origin ?? 'nowhere',
    request: async (request, signal) => {
      const reasons: string[] = [];
      let last: HttpResult<ProxmoxAnswer> = { ok: false, failure: httpFailure('http_request_invalid', 'no endpoint') };
      for (const station of inTurn(clock.monotonicMs())) {
        last = await ask(station.endpoint, request, signal);
        const isDown = last.ok ? isGatewayStatus(last.value.status) : isEndpointsFault(last.failure, request.path);
        if (!isDown) {
          station.avoidUntilMs = 0;
          return last;
        }
        station.avoidUntilMs = clock.monotonicMs() + proxmoxLimits.avoidEndpointMs;
        reasons.push(
          last.ok ? `${station.endpoint.origin} answered with status ${last.value.status}` : last.failure.reason,
        );
      }
      if (last.ok || reasons.length < 2) return last;
      return { ok: false, failure: { ...last.failure, reason: `no endpoint answers: ${reasons.join('; ')}` } };
    },
    close: () => {
      for (const { endpoint } of stations) endpoint.close();
    },
  };
};

const same = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean =>
  Object.entries(a).every(([name, value]) => b[name] === value);
