/** Keys as they are kept: a claimed key, qualified by what kind of thing it names and under which parent. */
import type { IdentityKey } from '../claim.ts';
import type { ResourceId, ResourceKind } from '../resource.ts';

/** One kept way to recognise a resource. */
export interface Alias {
  readonly key: string;
  readonly id: ResourceId;
  readonly strength: IdentityKey['strength'];
}

/**
 * Things of different classes never share a resource by their keys: a VM, and the host that runs inside it and knows
 * the same MAC address, stay two. A node of a cluster is a host.
 */
export const classOf = (kind: ResourceKind): string => (kind === 'node' ? 'host' : kind);

/** `<class> <parent id, or * for the world> <key>`. Ids and classes hold no spaces, so no two keys read alike. */
export const qualify = (kind: ResourceKind, parentId: ResourceId | null, key: string): string =>
  `${classOf(kind)} ${parentId ?? '*'} ${key}`;

/** The part of a key before its colon: what the value names. */
export const namespaceOf = (key: string): string => {
  const colon = key.indexOf(':');
  return colon === -1 ? key : key.slice(0, colon);
};

/** The namespace of a key that `qualify` made. */
export const namespaceOfAlias = (key: string): string =>
  namespaceOf(key.slice(key.indexOf(' ', key.indexOf(' ') + 1) + 1));

const FORMER = 'id:';

/** The alias under which an id that was merged into another stays resolvable. */
export const formerIdKey = (id: string): string => `${FORMER}${id}`;

/** The id that was merged, if the key is such an alias. */
export const formerIdOf = (key: string): ResourceId | null =>
  key.startsWith(FORMER) ? (key.slice(FORMER.length) as ResourceId) : null;
