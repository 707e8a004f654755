/** A resource as clients see it. */
import { z } from 'zod';
import { RESOURCE_KINDS, RESOURCE_STATUSES, type Resource } from '../../signals/resource.ts';
import type { ShownResource } from '../evidence/resource-reader.ts';
import { atMs, facts, resourceName } from './fields.ts';
import type { CapabilityPorts } from './ports.ts';

export const resourceView = z.strictObject({
  id: z.string(),
  kind: z.enum(RESOURCE_KINDS),
  name: z.string(),
  status: z.enum(RESOURCE_STATUSES).describe('when it was last seen'),
  parent: resourceName.nullable(),
  sourceIds: z.array(z.string()).readonly().describe('sources that see it, or saw it last'),
  tags: z.array(z.string()).readonly(),
  facts,
  firstSeenAtMs: atMs,
  seenAtMs: atMs,
  goneAtMs: atMs.nullable().describe('null: it is still there, as far as anybody knows'),
});

export type ResourceView = z.output<typeof resourceView>;

export const viewResources = (
  found: readonly ShownResource[],
  { resources }: Pick<CapabilityPorts, 'resources'>,
): readonly ResourceView[] => {
  const names = resources.named(found.flatMap(({ parentId }) => (parentId === null ? [] : [parentId])));
  return found.map(({ parentId, expects: _expects, ...told }) => {
    const parent = parentId === null ? undefined : names.get(parentId);
    return {
      ...told,
      parent: parentId === null ? null : { id: parentId, name: parent?.name ?? parentId, kind: parent?.kind ?? null },
    };
  });
};

/** As detectors and limits take it; nothing is known about it now. */
export const asRemembered = ({
  firstSeenAtMs: _first,
  seenAtMs: _seen,
  goneAtMs: _gone,
  ...kept
}: ShownResource): Resource => ({
  ...kept,
  presence: 'remembered',
});
