/** One limit: as a detector ships it, and as it holds for one resource, with where each number came from. */
import type { ResourceKind } from './resource.ts';

export type Unit = 'percent' | 'celsius' | 'count' | 'ms' | 'hours' | 'days' | 'seconds';

/** One limit as a detector ships it. `metric` is its name below `alerts.<kind>`, unique per kind over all detectors. */
export interface LimitSpec {
  readonly metric: string;
  readonly kinds: readonly ResourceKind[];
  readonly unit: Unit;
  /** Which way is bad. `state`: a fault without a figure; only `for` and `off` can be set. */
  readonly direction: 'above' | 'below' | 'state';
  readonly warning: number | null;
  readonly critical: number | null;
  /** Distance from a trigger to where it clears, in the unit. */
  readonly clearBy: number;
  readonly forMs: number;
  /** Where the numbers come from, for the docs and `patrold thresholds`. */
  readonly because: string;
}

export type LimitOrigin =
  | { readonly kind: 'default' }
  | { readonly kind: 'setting'; readonly path: string }
  | { readonly kind: 'override'; readonly path: string }
  | { readonly kind: 'import'; readonly path: string }
  | { readonly kind: 'derived'; readonly reason: string };

/** One severity's limit: raises at `trigger` or worse, and once raised clears at `clear` or better. */
export interface Bound {
  readonly trigger: number;
  readonly clear: number;
  readonly origin: LimitOrigin;
  /** Where `clear` came from: `derived` where what was asked for could never be reached, or lay past the trigger. */
  readonly clearOrigin?: LimitOrigin;
}

/** A limit as it holds for one resource. Where `off` is set, both bounds are null. */
export interface EffectiveLimit {
  readonly spec: LimitSpec;
  readonly off: LimitOrigin | null;
  readonly warning: Bound | null;
  readonly critical: Bound | null;
  readonly forMs: number;
  readonly forOrigin: LimitOrigin;
}

/** Whether the operator, not patrold, wrote this number: then it is taken as written (DETECTORS.md rule 4). */
export const isWritten = (origin: LimitOrigin): boolean => origin.kind !== 'default' && origin.kind !== 'derived';
