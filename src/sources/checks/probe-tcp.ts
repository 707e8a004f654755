/** A TCP check: does the port accept a connection, and where it speaks TLS, does it complete the handshake. */

import { certificateOfConnection } from './certificate-outcome.ts';
import type { TcpCheck } from './check.ts';
import { connect } from './connect.ts';
import { answered, type CheckOutcome, outcomeOf } from './outcome.ts';

export const probeTcp = async (check: TcpCheck, nowMs: number, signal: AbortSignal): Promise<CheckOutcome> => {
  const { host, port, tls, trust, timeoutMs } = check;
  const origin = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const connected = await connect({ origin, host, port, secure: tls, trust, timeoutMs }, signal);
  return {
    probe: connected.ok ? answered(connected.latencyMs) : outcomeOf(connected.failure),
    certificate: tls ? certificateOfConnection(connected, trust, nowMs, origin) : null,
  };
};
