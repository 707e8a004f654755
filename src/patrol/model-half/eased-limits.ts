/** Limits a little before those that raise: for what is worth a look, and is no finding yet. */
import type { Bound, EffectiveLimit, LimitResolver, LimitSet, LimitSpec } from '../../../signals/limits.ts';

/** Of percentages, in points. */
const POINTS_EASED = 10;
/** Of everything else, as a share of the trigger. */
const SHARE_EASED = 0.1;

const easedBound = ({ unit, direction }: LimitSpec, bound: Bound | null): Bound | null => {
  if (bound === null || direction === 'state') return bound;
  const distance = unit === 'percent' ? POINTS_EASED : Math.abs(bound.trigger) * SHARE_EASED;
  const shift = direction === 'above' ? -distance : distance;
  return { ...bound, trigger: bound.trigger + shift, clear: bound.clear + shift };
};

const eased = (limit: EffectiveLimit): EffectiveLimit => ({
  ...limit,
  warning: easedBound(limit.spec, limit.warning),
  critical: easedBound(limit.spec, limit.critical),
});

export const easedLimits = (limits: LimitResolver): LimitResolver => ({
  of: (spec, resource) => eased(limits.of(spec, resource)),
  for: (resource) => {
    const own = limits.for(resource);
    return {
      of: (spec) => eased(own.of(spec)),
      all: (specs): LimitSet => {
        const { limits: effective, allOff } = own.all(specs);
        return {
          limits: Object.fromEntries(Object.entries(effective).map(([name, limit]) => [name, eased(limit)])),
          allOff,
        };
      },
    };
  },
});
