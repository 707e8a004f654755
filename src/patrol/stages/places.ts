/** Where resources lie, for folding what follows from a loss under it. */
import type { Place } from '../../../findings/fold.ts';
import type { World } from '../../../signals/evaluate.ts';
import type { ResourceId } from '../../../signals/resource.ts';

export const placesIn = ({ resources }: World): ((id: ResourceId) => Place | undefined) => {
  const places = new Map(
    resources.map(({ id, kind, parentId, sourceIds }): [ResourceId, Place] => [
      id,
      { parentId, sourceIds, isSource: kind === 'source' ? (sourceIds[0] ?? null) : null },
    ]),
  );
  return (id) => places.get(id);
};
