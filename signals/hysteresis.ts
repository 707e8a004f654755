/** Severity of a value against a limit, with a band in which nothing flips. */
import type { Severity } from './detector.ts';
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

/**
 * `warning`, `critical` or null for a value in the limit's unit, given what it was before. A severity once reached is
 * held until the value is back at that severity's own `clear`. The value must be a number: `judgeLevel` sees to that.
 */
export const severityAt = (limit: EffectiveLimit, value: number, before: Severity | null): LevelSeverity | null => {
  if (reached(limit, limit.critical, value)) return 'critical';
  if (before === 'critical' && held(limit, limit.critical, value)) return 'critical';
  if (reached(limit, limit.warning, value)) return 'warning';
  if ((before === 'warning' || before === 'critical') && held(limit, limit.warning, value)) return 'warning';
  return null;
};

/** The bound a severity stands on. */
export const boundAt = (limit: EffectiveLimit, severity: LevelSeverity): Bound | null =>
  severity === 'critical' ? limit.critical : limit.warning;
