/** Where resources are, for folding: what each depends on, and which sources see it. Pure. */
import { isGuest, type Resource, type ResourceId } from '../signals/resource.ts';
import type { Place } from './fold.ts';

/** A guest belongs to its cluster, and is lost with the node that it is on at present: its source names that in `node`. */
export const placesOf = (resources: readonly Resource[]): ((id: ResourceId) => Place | undefined) => {
  const nodes = new Map(
    resources.flatMap(({ id, kind, name, parentId }) =>
      kind === 'node' ? [[nodeKey(parentId, name), id] as const] : [],
    ),
  );
  const places = new Map(resources.map((resource) => [resource.id, placeOf(resource, nodes)]));
  return (id) => places.get(id);
};

const nodeKey = (parentId: ResourceId | null, name: string): string => `${parentId ?? ''}\n${name}`;

const placeOf = (resource: Resource, nodes: ReadonlyMap<string, ResourceId>): Place => {
  const { kind, parentId, sourceIds } = resource;
  return {
    parentId: nodeOf(resource, nodes) ?? parentId,
    sourceIds,
    isSource: kind === 'source' ? (sourceIds[0] ?? null) : null,
  };
};

const nodeOf = (
  { facts, kind, parentId }: Resource,
  nodes: ReadonlyMap<string, ResourceId>,
): ResourceId | undefined => {
  const node = isGuest(kind) ? facts['node'] : undefined;
  return typeof node === 'string' ? nodes.get(nodeKey(parentId, node)) : undefined;
};
