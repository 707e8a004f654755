/** The claims of checks: one each, on the resource that the operator named, or an endpoint of its own. */
import { claimDefaults, proof, type ResourceClaim } from '../../../signals/claim.ts';
import type { ReadingKind } from '../../../signals/reading.ts';
import { type Check, showsCertificate } from './check.ts';

export const readsOf = (check: Check): readonly ReadingKind[] =>
  showsCertificate(check) ? ['probe', 'certificate'] : ['probe'];

export const toClaim = (check: Check): ResourceClaim => ({
  ...claimDefaults,
  ref: check.name,
  kind: 'endpoint',
  name: check.name,
  keys: [proof(`check:${check.name}`)],
  refersTo: check.resource,
  // An endpoint is meant to be up; what another source knows of a resource is not overruled.
  status: check.resource === null ? 'running' : 'unknown',
  expects: readsOf(check),
});
