/** Trigger and clear of one severity, made so that what was raised can also clear. */
import type { Bound, LimitOrigin, LimitSpec, Unit } from './limit.ts';

/** A number with who wrote it; `rank` grows with the authority of the layer, 0 is the default. */
export interface Field<T> {
  readonly value: T;
  readonly origin: LimitOrigin;
  readonly rank: number;
}

type Written = Field<number | 'off' | null>;

/** The ends of a unit's scale, which no value passes. */
const scaleOf = (unit: Unit): { readonly low: number; readonly high: number } => ({
  low: unit === 'celsius' ? Number.NEGATIVE_INFINITY : 0,
  high: unit === 'percent' ? 100 : Number.POSITIVE_INFINITY,
});

const worse = (direction: LimitSpec['direction'], a: number, b: number): boolean =>
  direction === 'below' ? a < b : a > b;

/**
 * A critical limit that is no worse than a warning written with more authority would fire first, against the operator's
 * plain intent: in percent it moves half-way to the end of the scale, elsewhere it keeps its default distance, and where
 * neither leaves room it goes.
 */
export const reconcileCritical = (spec: LimitSpec, warning: Written, critical: Written): Written => {
  if (typeof warning.value !== 'number' || typeof critical.value !== 'number') return critical;
  if (warning.rank <= critical.rank || worse(spec.direction, critical.value, warning.value)) return critical;
  const { low, high } = scaleOf(spec.unit);
  const end = spec.direction === 'below' ? low : high;
  const distance = spec.warning === null || spec.critical === null ? 0 : spec.critical - spec.warning;
  const moved = spec.unit === 'percent' ? (warning.value + end) / 2 : warning.value + distance;
  const room = worse(spec.direction, moved, warning.value) && moved >= low;
  const reason = `the inherited critical limit ${critical.value} does not lie past the warning limit ${warning.value}`;
  return { value: room ? moved : null, origin: { kind: 'derived', reason }, rank: critical.rank };
};

interface Clear {
  readonly value: number;
  readonly origin: LimitOrigin;
}

/** The usual distance, or half of what is left of the scale where that distance would end outside it. */
const usualClear = (spec: LimitSpec, trigger: number, origin: LimitOrigin): Clear => {
  const { low, high } = scaleOf(spec.unit);
  const value = spec.direction === 'below' ? trigger + spec.clearBy : trigger - spec.clearBy;
  const end = spec.direction === 'below' ? high : low;
  // A count reaches 0; a share of something never quite does.
  const outside = spec.direction === 'below' ? value >= end : spec.unit === 'count' ? value < end : value <= end;
  if (!outside || spec.clearBy === 0 || !Number.isFinite(end)) return { value, origin };
  const half = spec.unit === 'count' ? Math.max(0, Math.ceil(trigger / 2) - 1) : (trigger + end) / 2;
  return {
    value: spec.direction === 'below' ? Math.max(half, trigger) : Math.min(half, trigger),
    origin: { kind: 'derived', reason: `${spec.clearBy} from ${trigger} is the end of the scale or past it` },
  };
};

const clearOf = (spec: LimitSpec, trigger: number, written: Field<number> | null, origin: LimitOrigin): Clear => {
  if (written === null || !Number.isFinite(written.value)) return usualClear(spec, trigger, origin);
  const { low, high } = scaleOf(spec.unit);
  if (spec.direction === 'below' ? written.value > high : written.value < low) {
    const usual = usualClear(spec, trigger, origin);
    return { value: usual.value, origin: { kind: 'derived', reason: `clear ${written.value} lies outside the scale` } };
  }
  if (worse(spec.direction, written.value, trigger)) {
    return {
      value: trigger,
      origin: { kind: 'derived', reason: `clear ${written.value} lies past the limit ${trigger}` },
    };
  }
  return { value: written.value, origin: written.origin };
};

/** Null: this severity is off, or has no limit. */
export const boundOf = (spec: LimitSpec, field: Written, clear: Field<number | null>): Bound | null => {
  if (typeof field.value !== 'number' || !Number.isFinite(field.value)) return null;
  // A clear written for a weaker layer's limit doesn't belong to the limit of a stronger one.
  const written = clear.value !== null && clear.rank >= field.rank ? { ...clear, value: clear.value } : null;
  const { low, high } = scaleOf(spec.unit);
  // A trigger on the good side of the whole scale would hold for every value, and never clear.
  const trigger = spec.direction === 'below' ? Math.min(field.value, high) : Math.max(field.value, low);
  const { value, origin } = clearOf(spec, trigger, written, field.origin);
  return { trigger, clear: value, origin: field.origin, clearOrigin: origin };
};
