/** What a check found: of the thing that was asked, and of the certificate it showed. */
import type { CertificateReading } from '../../../signals/reading.ts';
import type { GapCode } from '../../../signals/survey.ts';
import { type HttpFailure, LOCAL_ERRNOS } from '../../runtime/http-failure.ts';

/** Nothing was learnt: why. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly code: GapCode;
  readonly reason: string;
  /** The network of this machine is why: if that holds for every check, none of the others is to blame. */
  readonly local: boolean;
}

export type ProbeOutcome =
  | { readonly kind: 'answered'; readonly latencyMs: number | null }
  | { readonly kind: 'not_answered'; readonly reason: string }
  | Unknown;

/** Without what a source adds: the check's name. */
export type SeenCertificate = Omit<CertificateReading, 'subject'>;

export type CertificateOutcome = { readonly kind: 'seen'; readonly certificate: SeenCertificate } | Unknown;

export interface CheckOutcome {
  readonly probe: ProbeOutcome;
  /** Null: the check shows none. */
  readonly certificate: CertificateOutcome | null;
}

export const answered = (latencyMs: number | null): ProbeOutcome => ({ kind: 'answered', latencyMs });
export const notAnswered = (reason: string): ProbeOutcome => ({ kind: 'not_answered', reason });
export const unknown = (code: GapCode, reason: string, local = false): Unknown => ({
  kind: 'unknown',
  code,
  reason,
  local,
});

/** This machine's own fault, beside its network's: no descriptors, no memory, a firewall for what goes out, no resolver. */
const OWN_ERRNO = /^(?:EPERM|EACCES|EMFILE|ENFILE|ENOBUFS|ENOMEM|EAI_.*)$/;

const isLocal = ({ errno }: HttpFailure): boolean =>
  errno !== undefined && (LOCAL_ERRNOS.has(errno) || OWN_ERRNO.test(errno));

/** What a failed connection or exchange says about the other side. */
export const outcomeOf = (failure: HttpFailure): Exclude<ProbeOutcome, { readonly kind: 'answered' }> => {
  const { code, reason } = failure;
  switch (code) {
    case 'http_unreachable':
      return isLocal(failure) ? unknown('unreachable', reason, true) : { kind: 'not_answered', reason };
    case 'http_timeout':
    case 'http_cut_short':
    case 'http_malformed':
    case 'http_too_large':
    case 'http_redirected':
    case 'http_status':
    case 'http_not_permitted':
      return { kind: 'not_answered', reason };
    case 'http_untrusted':
    case 'http_fingerprint_mismatch':
    case 'http_tls_files':
    case 'http_request_invalid':
      return unknown('failed', reason);
    case 'http_aborted':
      return unknown('timed_out', reason);
  }
};
