/** What the resolver could not take as it was claimed: reported, never guessed away. */
import type { ResourceId, SourceId } from '../resource.ts';

/** A key that several things of one source claim at once. It was dropped for this run. */
export interface AmbiguousKey {
  readonly sourceId: SourceId;
  readonly key: string;
  readonly refs: ReadonlySet<string>;
}

export type IdentityProblem =
  /** The source used one `ref` twice: the later claim, in canonical order, was dropped. */
  | { readonly kind: 'duplicate_ref'; readonly sourceId: SourceId; readonly ref: string }
  /** The parent is not among the source's claims: the thing was taken without one. */
  | { readonly kind: 'parent_missing'; readonly sourceId: SourceId; readonly ref: string; readonly parentRef: string }
  /** The thing is its own ancestor, or lies too deep: it was taken without a parent. */
  | { readonly kind: 'parent_cycle'; readonly sourceId: SourceId; readonly ref: string; readonly parentRef: string }
  /** `sameAs` names two things that can't be one: by their kinds, or because one source sees both at once. */
  | {
      readonly kind: 'same_as_refused';
      readonly ids: readonly [ResourceId, ResourceId];
      readonly because: 'kinds' | 'one_source';
    }
  /** Nothing answers to any of its names, or several things do: its readings are about nobody. */
  | {
      readonly kind: 'unattributed';
      readonly sourceId: SourceId;
      readonly ref: string;
      readonly because: 'nobody' | 'several';
    }
  /** New joins were still being found when the resolver gave up: the rest is found in the next run. */
  | { readonly kind: 'unsettled' };
