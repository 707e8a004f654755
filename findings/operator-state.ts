/** What the operator declared about a resource. */
import type { ResourceId } from '../signals/resource.ts';
import { isOfflineType } from './cause.ts';

export const CRITICALITIES = ['low', 'normal', 'high'] as const;
export type Criticality = (typeof CRITICALITIES)[number];

export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface OperatorState {
  readonly resourceId: ResourceId;
  /** Work is being done on it: nothing about it is news until it is over. */
  readonly maintenance: Span | null;
  /** It may be off or out of reach at any time; other faults still count. */
  readonly expectedOffline: boolean;
  readonly muted: boolean;
  /** Out of service for good. */
  readonly retired: boolean;
  readonly neverAutoRemediate: boolean;
  readonly criticality: Criticality;
  readonly note: string | null;
}

export const nothingDeclared = (resourceId: ResourceId): OperatorState => ({
  resourceId,
  maintenance: null,
  expectedOffline: false,
  muted: false,
  retired: false,
  neverAutoRemediate: false,
  criticality: 'normal',
  note: null,
});

export type OperatorStatePatch = Partial<Omit<OperatorState, 'resourceId'>>;

/** Two resources proved to be one: nothing that was declared about either is dropped. */
export const mergeStates = (kept: OperatorState, other: OperatorState): OperatorState => ({
  resourceId: kept.resourceId,
  maintenance: laterOf(kept.maintenance, other.maintenance),
  expectedOffline: kept.expectedOffline || other.expectedOffline,
  muted: kept.muted || other.muted,
  retired: kept.retired || other.retired,
  neverAutoRemediate: kept.neverAutoRemediate || other.neverAutoRemediate,
  criticality:
    CRITICALITIES.indexOf(other.criticality) > CRITICALITIES.indexOf(kept.criticality)
      ? other.criticality
      : kept.criticality,
  note: [kept.note, other.note].filter((note) => note !== null).join(' / ') || null,
});

const laterOf = (a: Span | null, b: Span | null): Span | null => {
  if (a === null || b === null) return a ?? b;
  return b.untilMs > a.untilMs ? b : a;
};

/** Longer than any planned work; an end that was forgotten must not silence a resource for good. */
export const LONGEST_MAINTENANCE_MS = 90 * 24 * 3_600_000;

/** Null: it is sound. */
export const whyInvalid = ({ maintenance }: OperatorStatePatch): string | null => {
  if (maintenance === undefined || maintenance === null) return null;
  const lastsMs = maintenance.untilMs - maintenance.fromMs;
  if (!(lastsMs > 0)) return 'a maintenance window ends after it begins';
  return lastsMs > LONGEST_MAINTENANCE_MS
    ? 'a maintenance window lasts 90 days at most; what is out of service for good is retired'
    : null;
};

export type QuietState = 'retired' | 'muted' | 'maintenance' | 'expected_offline';

/** Why findings of this type about the resource don't count now; null: they do. */
export const quietFor = (state: OperatorState, type: string, nowMs: number): QuietState | null => {
  if (state.retired) return 'retired';
  if (state.muted) return 'muted';
  const { maintenance } = state;
  if (maintenance !== null && maintenance.fromMs <= nowMs && nowMs < maintenance.untilMs) return 'maintenance';
  return state.expectedOffline && isOfflineType(type) ? 'expected_offline' : null;
};
