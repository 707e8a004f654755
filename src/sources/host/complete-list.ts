/** Several collectors that together list all things of one kind. */
import type { ResourceKind } from '../../../signals/resource.ts';
import { type Collector, HOST_REF } from './host-context.ts';
import { joinParts } from './part.ts';

/** The list is complete where none of them says that something of the host could not be read. */
export const listing =
  (kind: ResourceKind, collectors: readonly Collector[]): Collector =>
  async (host) => {
    const all = joinParts(await Promise.all(collectors.map((collect) => collect(host))));
    const isComplete = all.gaps.every(({ ref }) => ref !== HOST_REF && ref !== null);
    return { ...all, listed: isComplete ? [{ kind, parentRef: HOST_REF }] : [] };
  };
