/** Findings under the ids that their resources have in this run, before the run has written the change. */
import type { ResourceId } from '../signals/resource.ts';

export interface ResourceMerge {
  readonly from: ResourceId;
  readonly into: ResourceId;
}

/** Merges follow each other in their order, so that `a` into `b` and `b` into `c` makes `c` of all three. */
export const renamed = <F extends { readonly resourceId: ResourceId }>(
  findings: readonly F[],
  merged: readonly ResourceMerge[],
): readonly F[] => {
  if (merged.length === 0) return findings;
  const nameOf = (id: ResourceId): ResourceId => merged.reduce((at, { from, into }) => (at === from ? into : at), id);
  return findings.map((finding) => {
    const resourceId = nameOf(finding.resourceId);
    return resourceId === finding.resourceId ? finding : { ...finding, resourceId };
  });
};
