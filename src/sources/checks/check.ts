/** One configured check, made ready to run. */
import { asResourceId, type ResourceId } from '../../../signals/resource.ts';
import type { Secret } from '../../runtime/secret.ts';
import type { CheckConfig } from './checks-config.ts';
import { parseHostPort } from './host-port.ts';

interface CheckBase {
  readonly name: string;
  readonly resource: ResourceId | null;
  readonly timeoutMs: number;
  /** Null: in every survey. */
  readonly intervalMs: number | null;
}

/** Which certificate is accepted. */
export interface Trust {
  readonly caFile: string | undefined;
  readonly fingerprint: string | undefined;
  readonly insecure: boolean;
}

/** Inclusive. */
export interface StatusRange {
  readonly from: number;
  readonly to: number;
}

export interface HttpCheck extends CheckBase {
  readonly kind: 'http';
  readonly url: URL;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, Secret>>;
  readonly expectStatus: readonly StatusRange[];
  readonly expectBody: string | null;
  readonly trust: Trust;
}

export interface TcpCheck extends CheckBase {
  readonly kind: 'tcp';
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly trust: Trust;
}

export interface IcmpCheck extends CheckBase {
  readonly kind: 'icmp';
  readonly host: string;
}

export type Check = HttpCheck | TcpCheck | IcmpCheck;

const SUCCESS: StatusRange = { from: 200, to: 299 };

const toRange = (status: number | string): StatusRange => {
  if (typeof status === 'number') return { from: status, to: status };
  const from = Number(status.slice(0, 1)) * 100;
  return { from, to: from + 99 };
};

const toRanges = (expected: CheckConfig['expectStatus']): readonly StatusRange[] => {
  if (expected === undefined) return [SUCCESS];
  return (typeof expected === 'object' ? expected : [expected]).map(toRange);
};

/** The schema has made sure that exactly one of the three ways is given, and well formed. */
export const toCheck = (config: CheckConfig): Check => {
  const base: CheckBase = {
    name: config.name,
    resource: config.resource === undefined ? null : asResourceId(config.resource),
    timeoutMs: config.timeout,
    intervalMs: config.interval ?? null,
  };
  const trust: Trust = { caFile: config.caFile, fingerprint: config.fingerprint, insecure: config.insecure };
  if (config.http !== undefined) {
    return {
      ...base,
      kind: 'http',
      url: new URL(config.http),
      method: config.method,
      headers: config.headers,
      expectStatus: toRanges(config.expectStatus),
      expectBody: config.expectBody ?? null,
      trust,
    };
  }
  const address = config.tcp === undefined ? null : parseHostPort(config.tcp);
  if (address !== null) return { ...base, kind: 'tcp', ...address, tls: config.tls, trust };
  return { ...base, kind: 'icmp', host: config.icmp ?? '' };
};

/** Whether a certificate is expected to be seen. */
export const showsCertificate = (check: Check): boolean =>
  (check.kind === 'http' && check.url.protocol === 'https:') || (check.kind === 'tcp' && check.tls);
