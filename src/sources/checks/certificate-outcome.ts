/** What a connection, or the lack of one, tells about the certificate. */
import type { PeerTls } from '../../runtime/http-tls.ts';
import type { Trust } from './check.ts';
import type { Connected } from './connect.ts';
import { judgeCertificate } from './judge-certificate.ts';
import { type CertificateOutcome, outcomeOf, unknown } from './outcome.ts';

export const certificateOf = (
  peer: PeerTls | null,
  trust: Trust,
  nowMs: number,
  origin: string,
): CertificateOutcome => {
  const certificate = peer === null ? null : judgeCertificate(peer, trust, nowMs);
  if (certificate !== null) return { kind: 'seen', certificate };
  return unknown('malformed', `${origin} shows a certificate whose dates can't be read`);
};

export const certificateOfConnection = (
  connected: Connected,
  trust: Trust,
  nowMs: number,
  origin: string,
): CertificateOutcome => {
  if (connected.ok) return certificateOf(connected.peer, trust, nowMs, origin);
  const outcome = outcomeOf(connected.failure);
  return outcome.kind === 'unknown' ? outcome : unknown('not_answering', outcome.reason);
};
