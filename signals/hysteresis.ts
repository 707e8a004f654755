/** Severity of a value against a limit, with a band in which nothing flips. */
import type { VerdictMemory } from './detector.ts';
import type { Bound, EffectiveLimit } from './limit.ts';

export type LevelSeverity = 'warning' | 'critical';

/** At the good end of the scale itself (`above 0`, `below 100 %`) only what is past it counts: else nothing could clear. */
const reached = ({ spec }: EffectiveLimit, bound: Bound | null, value: number): boolean => {
  if (bound === null) return false;
  const { trigger } = bound;
  if (spec.direction === 'below')
    return value < trigger || (value === trigger && !(spec.unit === 'percent' && trigger === 100));
  return value > trigger || (value === trigger && trigger !== 0);
};

const held = ({ spec }: EffectiveLimit, bound: Bound | null, value: number): boolean =>
  bound !== null && (spec.direction === 'below' ? value < bound.clear : value > bound.clear);

/** What was raised before, and against which trigger. */
export type Before = Pick<VerdictMemory, 'severity' | 'trigger'>;

/** A limit that the operator has loosened since holds nothing: its band belongs to the new trigger. */
const isLoosened = ({ spec }: EffectiveLimit, bound: Bound | null, { trigger }: Before): boolean => {
  if (bound === null || trigger === undefined || trigger === null) return false;
  return spec.direction === 'below' ? bound.trigger < trigger : bound.trigger > trigger;
};

/**
 * `warning`, `critical` or null for a value in the limit's unit, given what it was before. A severity once reached is
 * held until the value is back at that severity's own `clear`, or the limit has been loosened. The value must be a number: `judgeLevel` sees to that.
 */
export const severityAt = (limit: EffectiveLimit, value: number, before: Before | null): LevelSeverity | null => {
  const severity = before?.severity;
  const holds = (bound: Bound | null): boolean =>
    before !== null && !isLoosened(limit, bound, before) && held(limit, bound, value);
  if (reached(limit, limit.critical, value)) return 'critical';
  if (severity === 'critical' && holds(limit.critical)) return 'critical';
  if (reached(limit, limit.warning, value)) return 'warning';
  if ((severity === 'warning' || severity === 'critical') && holds(limit.warning)) return 'warning';
  return null;
};

/** The bound a severity stands on. */
export const boundAt = (limit: EffectiveLimit, severity: LevelSeverity): Bound | null =>
  severity === 'critical' ? limit.critical : limit.warning;
