/** What a run is confined to: resources by id, kind, source or tag. A resource is in scope when any criterion holds. */
import { RESOURCE_KINDS, type Resource, type ResourceKind } from '../../signals/resource.ts';
import { PatroldError } from '../runtime/errors.ts';

export interface Scope {
  readonly ids: readonly string[];
  readonly kinds: readonly ResourceKind[];
  readonly sources: readonly string[];
  readonly tags: readonly string[];
}

const isKind = (value: string): value is ResourceKind => RESOURCE_KINDS.some((kind) => kind === value);

/**
 * `kind:disk`, `source:docker`, `tag:media`, `id:nas1` or a bare resource id; several are alternatives.
 * Throws `scope_invalid`.
 */
export const parseScope = (texts: readonly string[]): Scope | null => {
  const scope = { ids: [] as string[], kinds: [] as ResourceKind[], sources: [] as string[], tags: [] as string[] };
  for (const text of texts) {
    const [, key = 'id', value = ''] = /^(?:(id|kind|source|tag):)?(.*)$/s.exec(text.trim()) ?? [];
    if (value === '') throw new PatroldError('scope_invalid', `--scope "${text}" names nothing`);
    if (key === 'kind') {
      if (!isKind(value))
        throw new PatroldError('scope_invalid', `--scope kind:${value}: the kinds are ${RESOURCE_KINDS.join(', ')}`);
      scope.kinds.push(value);
    } else if (key === 'source') scope.sources.push(value);
    else if (key === 'tag') scope.tags.push(value);
    else scope.ids.push(value);
  }
  return texts.length === 0 ? null : scope;
};

type Scoped = Pick<Resource, 'id' | 'kind' | 'sourceIds' | 'tags' | 'parentId'>;

/** An id also stands for everything below it. */
export const inScope = (scope: Scope | null, resource: Scoped, parentOf: (id: string) => string | null): boolean => {
  if (scope === null) return true;
  if (scope.kinds.includes(resource.kind)) return true;
  if (resource.sourceIds.some((id) => scope.sources.includes(id))) return true;
  if (resource.tags.some((tag) => scope.tags.includes(tag))) return true;
  if (scope.ids.length === 0) return false;
  for (
    let id: string | null = resource.id, depth = 0;
    id !== null && depth < MAX_DEPTH;
    id = parentOf(id), depth += 1
  ) {
    if (scope.ids.includes(id)) return true;
  }
  return false;
};

/** Parents of parents; a guard against a loop, far above any real nesting. */
const MAX_DEPTH = 16;

export const scopeKey = (scope: Scope | null): string =>
  scope === null
    ? ''
    : JSON.stringify([scope.ids.toSorted(), scope.kinds.toSorted(), scope.sources.toSorted(), scope.tags.toSorted()]);
