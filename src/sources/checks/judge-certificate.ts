/** A served certificate as a reading: what a client that accepts what the check accepts would say of it. Pure. */
import { normalizeFingerprint, type PeerTls } from '../../runtime/http-tls.ts';
import type { Trust } from './check.ts';
import type { SeenCertificate } from './outcome.ts';

/** node's names of OpenSSL's verification results (`X509_V_ERR_…`), for people. */
const REFUSALS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed: pin it with fingerprint, or name it as caFile',
  SELF_SIGNED_CERT_IN_CHAIN: 'its CA is not trusted here: name it with caFile',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its CA is not trusted here, or the server leaves out certificates of the chain',
  UNABLE_TO_GET_ISSUER_CERT: 'the server leaves out certificates of the chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its CA is not trusted here, or the server leaves out certificates of the chain',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is made out to another name than the check asks for',
  HOSTNAME_MISMATCH: 'it is made out to another name than the check asks for',
  CERT_REVOKED: 'it was revoked',
  INVALID_PURPOSE: 'it is not meant for servers',
};

/** Apart from its own dates, which the reading tells by themselves. */
const refusal = (peer: PeerTls, trust: Trust, nowMs: number): string | null => {
  if (trust.fingerprint !== undefined) {
    if (normalizeFingerprint(trust.fingerprint) === normalizeFingerprint(peer.fingerprint256)) return null;
    return `it is not the pinned one but ${peer.fingerprint256}`;
  }
  const { refusedBecause: code } = peer;
  if (code === null || trust.insecure) return null;
  if (code === 'CERT_HAS_EXPIRED')
    return peer.notAfterMs < nowMs ? null : 'another certificate of its chain has expired';
  if (code === 'CERT_NOT_YET_VALID')
    return peer.notBeforeMs > nowMs ? null : 'another certificate of its chain is not valid yet';
  return REFUSALS[code] ?? `it is refused (${code})`;
};

/** Null where its dates can't be read. */
export const judgeCertificate = (peer: PeerTls, trust: Trust, nowMs: number): SeenCertificate | null => {
  if (!Number.isFinite(peer.notAfterMs)) return null;
  return {
    kind: 'certificate',
    notBeforeMs: Number.isFinite(peer.notBeforeMs) ? peer.notBeforeMs : null,
    notAfterMs: peer.notAfterMs,
    invalidReason: refusal(peer, trust, nowMs),
    renewsItself: false,
  };
};
