/** What is remembered of identities: the store's answers to the resolver. */
import type { Resource, ResourceId } from '../resource.ts';
import { type Alias, formerIdOf } from './alias.ts';

export interface KnownIdentities {
  /** The kept alias, as it was stored; ids that were merged since are followed by the resolver. */
  aliasOf(key: string): Alias | undefined;
  /** Qualified proof keys that lead to the id. */
  proofsOf(id: ResourceId): readonly string[];
  /** The id that this one was merged into. */
  mergedInto(id: ResourceId): ResourceId | undefined;
  /** Ids that were merged into this one. */
  formerIdsOf(id: ResourceId): readonly ResourceId[];
  /** The resource as it was last seen; undefined where it is gone, or never was. */
  resourceOf(id: ResourceId): Resource | undefined;
  /** Whether the id was ever given, to things that are gone too: it is not given again. */
  isTaken(id: string): boolean;
}

export interface RememberedIdentities {
  readonly aliases: Iterable<Alias>;
  /** Everything in the inventory that is not gone. */
  readonly resources: Iterable<Resource>;
  /** Ids of things that are gone, while anything still refers to them. */
  readonly goneIds?: Iterable<ResourceId>;
}

const add = <K, V>(lists: Map<K, V[]>, key: K, value: V): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

/** Indexes what the store holds, once a run. */
export const createKnownIdentities = ({ aliases, resources, goneIds = [] }: RememberedIdentities): KnownIdentities => {
  const byKey = new Map<string, Alias>();
  const proofs = new Map<ResourceId, string[]>();
  const formerIds = new Map<ResourceId, ResourceId[]>();
  const mergedInto = new Map<ResourceId, ResourceId>();
  const taken = new Set<string>(goneIds);
  for (const alias of aliases) {
    byKey.set(alias.key, alias);
    taken.add(alias.id);
    const former = formerIdOf(alias.key);
    if (former !== null) {
      taken.add(former);
      mergedInto.set(former, alias.id);
      add(formerIds, alias.id, former);
    } else if (alias.strength === 'proof') add(proofs, alias.id, alias.key);
  }
  const byId = new Map<ResourceId, Resource>();
  for (const resource of resources) {
    byId.set(resource.id, resource);
    taken.add(resource.id);
  }
  return {
    aliasOf: (key) => byKey.get(key),
    proofsOf: (id) => proofs.get(id) ?? NONE,
    mergedInto: (id) => mergedInto.get(id),
    formerIdsOf: (id) => formerIds.get(id) ?? NONE,
    resourceOf: (id) => byId.get(id),
    isTaken: (id) => taken.has(id),
  };
};

const NONE: readonly never[] = [];

/** A first run. */
export const nothingKnown: KnownIdentities = createKnownIdentities({ aliases: [], resources: [] });
