/** Claims as tests write them, and what a store would remember from one resolution to the next. */
import { claimDefaults, type ResourceClaim, type SourceClaims } from '../../signals/claim.ts';
import type { Alias } from '../../signals/identity/alias.ts';
import { createKnownIdentities, type KnownIdentities } from '../../signals/identity/known.ts';
import { type Resolution, type ResolveInput, resolveIdentities } from '../../signals/identity.ts';
import type { Resource, ResourceId, ResourceKind } from '../../signals/resource.ts';

/** A claim with the defaults of `claimDefaults`; `name` is the `ref` unless given. */
export const claimOf = (
  kind: ResourceKind,
  ref: string,
  keys: ResourceClaim['keys'],
  rest: Partial<ResourceClaim> = {},
): ResourceClaim => ({ ...claimDefaults, kind, ref, name: ref, keys, ...rest });

export const surveyOf = (sourceId: string, claims: readonly ResourceClaim[], whole = true): SourceClaims => ({
  sourceId,
  claims,
  whole,
});

/** Keeps aliases and resources between runs, as the store does. */
export interface Inventory {
  known(): KnownIdentities;
  aliases(): readonly Alias[];
  resources(): readonly Resource[];
  run(surveys: readonly SourceClaims[], rest?: Partial<ResolveInput>): Resolution;
}

export const createInventory = (): Inventory => {
  const aliases = new Map<string, Alias>();
  const resources = new Map<ResourceId, Resource>();
  const known = (): KnownIdentities =>
    createKnownIdentities({ aliases: aliases.values(), resources: resources.values() });
  return {
    known,
    aliases: () => [...aliases.values()],
    resources: () => [...resources.values()],
    run: (surveys, rest = {}) => {
      const resolution = resolveIdentities({ surveys, known: known(), sameAs: [], configTags: {}, ...rest });
      for (const alias of resolution.aliases) aliases.set(alias.key, alias);
      for (const { from } of resolution.merged) resources.delete(from);
      for (const resource of resolution.resources) resources.set(resource.id, resource);
      return resolution;
    },
  };
};
