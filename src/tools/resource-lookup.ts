/** What a model calls a resource -> the resource, and the other way round. Nothing outside the inventory is found. */

import { asResourceId, type Resource, type ResourceId } from '../../signals/resource.ts';
import type { Ledger } from '../evidence/ledger.ts';
import { shownText } from './showing/shown-text.ts';

export type Found =
  | { readonly kind: 'one'; readonly resource: Resource }
  /** `near`: ids that resemble it. */
  | { readonly kind: 'none'; readonly near: readonly string[] }
  | { readonly kind: 'several'; readonly ids: readonly string[] };

export interface ResourceLookup {
  /** Sorted by id. */
  readonly all: readonly Resource[];
  get(id: ResourceId): Resource | null;
  /** By id, by an id that it had before, or by a name that only one has. */
  find(typed: string): Found;
  /** The id as it is shown; `find` knows it. */
  shown(id: ResourceId): string;
  /** Itself, or below it. */
  isWithin(id: ResourceId, ancestor: ResourceId): boolean;
}

/** Parents of parents; far above any real nesting. */
const MAX_DEPTH = 16;
const MAX_NEAR = 5;
const ID_LENGTH = 400;

export const createResourceLookup = ({ world, change }: Pick<Ledger, 'world' | 'change'>): ResourceLookup => {
  const all = world.resources.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const byId = new Map(all.map((resource) => [resource.id as string, resource]));
  const byShown = Map.groupBy(all, ({ id }) => shownText(id, ID_LENGTH));
  const byName = Map.groupBy(all, ({ name }) => shownText(name).toLowerCase());
  const into = new Map(change.merged.map(({ from, into: to }) => [from as string, to as string]));

  const shown = (id: ResourceId): string => {
    const text = shownText(id, ID_LENGTH);
    const same = byShown.get(text);
    if (same === undefined || same.length < 2) return text;
    // Two ids that read alike once secrets are taken out of them.
    return `${text}#${same.findIndex((resource) => resource.id === id) + 1}`;
  };
  const ids = (resources: readonly Resource[]): readonly string[] =>
    resources.slice(0, MAX_NEAR).map(({ id }) => shown(id));
  const near = (typed: string): readonly string[] => {
    const part = typed.toLowerCase().split('/').at(-1) ?? '';
    if (part.length < 2) return [];
    return ids(all.filter(({ id, name }) => id.includes(part) || name.toLowerCase().includes(part)));
  };
  const exact = (typed: string): Resource | undefined => {
    const known = byId.get(typed) ?? byId.get(into.get(typed) ?? '');
    if (known !== undefined) return known;
    const [, text = typed, place = '1'] = /^(.*)#(\d{1,4})$/.exec(typed) ?? [];
    return byShown.get(text)?.[Number(place) - 1];
  };
  const ancestorsOf = (id: ResourceId): readonly ResourceId[] => {
    const line: ResourceId[] = [];
    for (let at: ResourceId | null = id; at !== null && line.length < MAX_DEPTH; at = byId.get(at)?.parentId ?? null)
      line.push(at);
    return line;
  };

  return {
    all,
    get: (id) => byId.get(id) ?? null,
    find: (typed) => {
      const asked = typed.trim();
      const known = exact(asked);
      if (known !== undefined) return { kind: 'one', resource: known };
      const named = byName.get(shownText(asked).toLowerCase()) ?? [];
      const [only] = named;
      if (only === undefined) return { kind: 'none', near: near(asked) };
      return named.length === 1 ? { kind: 'one', resource: only } : { kind: 'several', ids: ids(named) };
    },
    shown: (id) => shown(asResourceId(into.get(id) ?? id)),
    isWithin: (id, ancestor) => ancestorsOf(id).includes(ancestor),
  };
};
