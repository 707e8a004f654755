/** Claims of sources -> resources, with ids that outlive renames, restarts and migrations. Pure. */
import type { SourceClaims } from './claim.ts';
import { type Alias, formerIdKey } from './identity/alias.ts';
import { unattributed } from './identity/attach.ts';
import { type Claimed, prepareClaims } from './identity/claimed.ts';
import { createFollow, type Follow } from './identity/follow.ts';
import type { KnownIdentities } from './identity/known.ts';
import { findMerges } from './identity/merges.ts';
import { idOf, runPass } from './identity/pass.ts';
import type { AmbiguousKey, IdentityProblem } from './identity/problem.ts';
import { createJoiner } from './identity/resource-of-thing.ts';
import { current, type Thing } from './identity/thing.ts';
import { createThingWorld, type ThingWorld } from './identity/world.ts';
import { asResourceId, type Resource, type ResourceId, type SourceId } from './resource.ts';

/** A join can reveal another one: of things whose parents were two before. Two passes settle all but made-up cases. */
const MAX_PASSES = 5;

export interface ResolveInput {
  /**
   * Of every configured source in config order, also of those that failed or were not asked (no claims, `whole: false`).
   * What a source that is missing here said before is forgotten.
   */
  readonly surveys: readonly SourceClaims[];
  readonly known: KnownIdentities;
  /** Ids that the operator declares to be one thing: the first that exists wins. For good: the others become aliases. */
  readonly sameAs: readonly (readonly string[])[];
  /** By resource id, old ids included. */
  readonly configTags: Readonly<Record<string, readonly string[]>>;
}

export interface Merge {
  readonly from: ResourceId;
  readonly into: ResourceId;
}

export interface Resolution {
  /** Null: the source has no such `ref` in this survey. */
  idOf(sourceId: SourceId, ref: string): ResourceId | null;
  /** All that were claimed in this run, parents first. */
  readonly resources: readonly Resource[];
  /** New or changed ones only; to be kept. */
  readonly aliases: readonly Alias[];
  /** Keys of kept hints that hold as they are: those that are never among these have served their time. */
  readonly confirmedHints: readonly string[];
  /** Known ids that are one now: whatever refers to `from` belongs to `into`. */
  readonly merged: readonly Merge[];
  readonly ambiguous: readonly AmbiguousKey[];
  readonly problems: readonly IdentityProblem[];
}

/**
 * Matches by proofs first, strongest first; then by hints, where no proof speaks against it; what is left gets an id of
 * its own. Throws nothing: what can't be resolved as claimed is reported in `ambiguous` and `problems`.
 */
export const resolveIdentities = ({ surveys, known, sameAs, configTags }: ResolveInput): Resolution => {
  const { claimed, bySource, ambiguous, problems } = prepareClaims(surveys);
  const { world, redirects, found } = settle(known, claimed, sameAs);
  const { changed, confirmedHints } = sortAliases(world);
  const joins = [...redirects.keys()].map((from): Merge => ({ from, into: world.follow.canonical(from) }));
  const tags = configTagsById(configTags, world.follow);
  const joined = createJoiner({
    surveys,
    rememberedOf: (id) => known.resourceOf(id),
    tagsOf: (id) => tags.get(id) ?? [],
  });
  return {
    idOf: (sourceId, ref) => {
      const one = bySource.get(sourceId)?.get(ref);
      return one === undefined ? null : idOf(world, one);
    },
    resources: thingsOf(world, claimed).flatMap((thing) => {
      const [id] = thing.ids;
      return id === undefined ? [] : [joined(thing, id)];
    }),
    aliases: [
      ...changed,
      ...joins.map(({ from, into }): Alias => ({ key: formerIdKey(from), id: into, strength: 'proof' })),
    ],
    confirmedHints,
    merged: joins.filter(({ from }) => known.isTaken(from)),
    ambiguous,
    problems: [...problems, ...found, ...unattributed(world, claimed, surveys)],
  };
};

interface Settled {
  readonly world: ThingWorld;
  readonly redirects: ReadonlyMap<ResourceId, ResourceId>;
  readonly found: readonly IdentityProblem[];
}

/** Passes until one finds no more joins than it was given. */
const settle = (known: KnownIdentities, claimed: readonly Claimed[], sameAs: ResolveInput['sameAs']): Settled => {
  const redirects = new Map<ResourceId, ResourceId>();
  for (let pass = 1; ; pass += 1) {
    const world = createThingWorld(known, createFollow(known, redirects));
    runPass(world, claimed);
    const merges = findMerges(world, thingsOf(world, claimed), sameAs);
    if (merges.redirects.size === 0) return { world, redirects, found: merges.problems };
    if (pass === MAX_PASSES) return { world, redirects, found: [...merges.problems, { kind: 'unsettled' }] };
    for (const [from, into] of merges.redirects) redirects.set(from, into);
  }
};

/** Each thing once, in the order of its first claim; parents come before what is on them. */
const thingsOf = (world: ThingWorld, claimed: readonly Claimed[]): readonly Thing[] => {
  const things = new Set<Thing>();
  for (const one of claimed) {
    const member = world.memberOf.get(one);
    if (member !== undefined) things.add(current(member.thing));
  }
  return [...things];
};

const sortAliases = ({
  known,
  live,
}: ThingWorld): { readonly changed: readonly Alias[]; readonly confirmedHints: readonly string[] } => {
  const changed: Alias[] = [];
  const confirmedHints: string[] = [];
  for (const [key, { thing, strength }] of live) {
    const [id] = current(thing).ids;
    if (id === undefined) continue;
    const kept = known.aliasOf(key);
    const holds = kept?.id === id && (kept.strength === strength || kept.strength === 'proof');
    if (!holds) changed.push({ key, id, strength });
    else if (kept.strength === 'hint') confirmedHints.push(key);
  }
  return { changed, confirmedHints };
};

const configTagsById = (
  configTags: ResolveInput['configTags'],
  follow: Follow,
): ReadonlyMap<ResourceId, readonly string[]> => {
  const tags = new Map<ResourceId, readonly string[]>();
  for (const [written, list] of Object.entries(configTags)) {
    const id = follow.canonical(asResourceId(written));
    tags.set(id, [...(tags.get(id) ?? []), ...list]);
  }
  return tags;
};
