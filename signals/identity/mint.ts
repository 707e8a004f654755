/** New ids: readable, and the same whatever order a survey listed its things in. */
import { asResourceId, type ResourceId } from '../resource.ts';
import { slugOf } from './slug.ts';
import { join, type Thing } from './thing.ts';
import { type ThingWorld, thingById } from './world.ts';

/**
 * Gives a thing without an id its own: `<slug>` at a root, else `<parent's id>/<kind>/<slug>`; where that is taken,
 * `-2`, `-3` and so on. An id that the operator declared to be another one joins that.
 */
export const mint = (world: ThingWorld, thing: Thing): void => {
  const { known, follow, byId, given } = world;
  const base = baseOf(thing);
  let id = base;
  for (let count = 2; ; count += 1) {
    if (!known.isTaken(id) && !given.has(id)) {
      const declared = follow.isRedirected(id) || follow.isTarget(id);
      if (declared || !byId.has(asResourceId(id))) break;
    }
    id = `${base}-${count}`;
  }
  given.add(id);
  if (follow.isRedirected(id) || follow.isTarget(id)) {
    join(thing, thingById(world, follow.canonical(asResourceId(id))));
    return;
  }
  thing.ids.push(asResourceId(id));
  byId.set(asResourceId(id), thing);
};

const baseOf = ({ members }: Thing): string => {
  const named = members.find(({ claimed }) => claimed.claim.slug !== null) ?? members[0];
  const claim = named?.claimed.claim;
  const kind = claim?.kind ?? 'host';
  const slug = slugOf(claim?.slug ?? claim?.name ?? '', kind);
  const parentId: ResourceId | null = members.find((member) => member.parentId !== null)?.parentId ?? null;
  return parentId === null ? slug : `${parentId}/${kind}/${slug}`;
};
