/** A TCP check: does the port accept a connection, and where it speaks TLS, does it complete the handshake. */

import type { HttpFailure } from '../../runtime/http-failure.ts';
import { certificateOfConnection } from './certificate-outcome.ts';
import type { TcpCheck } from './check.ts';
import { connect } from './connect.ts';
import { answered, type CheckOutcome, notAnswered, outcomeOf, type ProbeOutcome } from './outcome.ts';

export const probeTcp = async (check: TcpCheck, nowMs: number, signal: AbortSignal): Promise<CheckOutcome> => {
  const { host, port, tls, trust, timeoutMs } = check;
  const origin = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const connected = await connect({ origin, host, port, secure: tls, trust, timeoutMs }, signal);
  return {
    probe: connected.ok ? answered(connected.latencyMs) : silent(check, origin, connected.failure),
    certificate: tls ? certificateOfConnection(connected, trust, nowMs, origin) : null,
  };
};

const silent = ({ tls, timeoutMs }: TcpCheck, origin: string, failure: HttpFailure): ProbeOutcome => {
  if (failure.code !== 'http_timeout') return outcomeOf(failure);
  return notAnswered(
    `${origin} did not ${tls ? 'complete a TLS handshake' : 'accept a connection'} within ${timeoutMs} ms`,
  );
};
