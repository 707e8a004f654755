/** What a failed HTTP exchange means for a survey. */
import type { GapCode } from '../../signals/survey.ts';
import type { HttpFailureCode } from '../runtime/http-failure.ts';

/**
 * A refusal is `failed`, not `not_permitted`: that one tells how a machine is set up and leaves a survey whole, while a
 * source that lets nobody in is broken.
 */
export const GAP_OF_HTTP: Readonly<Record<HttpFailureCode, GapCode>> = {
  http_unreachable: 'unreachable',
  http_timeout: 'timed_out',
  http_untrusted: 'failed',
  http_fingerprint_mismatch: 'failed',
  http_tls_files: 'failed',
  http_cut_short: 'cut_short',
  http_too_large: 'cut_short',
  http_malformed: 'malformed',
  http_not_permitted: 'failed',
  http_redirected: 'failed',
  http_status: 'failed',
  http_request_invalid: 'failed',
  http_aborted: 'timed_out',
};
