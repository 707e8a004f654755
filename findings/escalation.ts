/** Whether a finding has become clearly worse than it was when somebody decided about it. */
import { isWorse, type Level, type Severity } from '../signals/detector.ts';
import type { Unit } from '../signals/limits.ts';
import type { Mark } from './finding.ts';

/** Share of the way to the end of the scale that makes a value clearly worse; of the value itself where it has no end. */
export const CLEARLY_WORSE_SHARE = 0.25;

/** Distance between warning and critical in the catalogue's temperature limits; a Celsius scale has no zero to take shares of. */
const CELSIUS_STEP = 5;

/** Steps smaller than these are noise of the measurement. */
const LEAST_STEP: Readonly<Partial<Record<Unit, number>>> = { percent: 0.5, count: 1 };

/** Which way is worse; null: it can't be told, and only the severity escalates. */
export const directionOf = ({ limit, unit, direction }: Level): 'above' | 'below' | null => {
  if (direction !== undefined) return direction;
  if (limit !== null && limit.clear !== limit.trigger) return limit.clear < limit.trigger ? 'above' : 'below';
  return unit === 'count' ? 'above' : null;
};

/**
 * The value that is clearly worse than `value`. From 80 % of 100 % it is 85 %, from 96 % it is 97 %: what counts is how
 * much is left. Below a limit the scale ends at 0 (12 days left: 9); where it has no end, a quarter more (8 errors: 10).
 */
export const clearlyWorseThan = (value: number, unit: Unit, direction: 'above' | 'below'): number => {
  if (unit === 'celsius') return direction === 'above' ? value + CELSIUS_STEP : value - CELSIUS_STEP;
  const ends = direction === 'above' && unit === 'percent' && value < 100;
  const room = ends ? 100 - value : Math.abs(value);
  const step = Math.max(room * CLEARLY_WORSE_SHARE, LEAST_STEP[unit] ?? 0);
  return direction === 'above' ? value + step : value - step;
};

const isClearlyWorse = (mark: Mark, level: Level | null): boolean => {
  if (level === null || mark.value === null || mark.unit !== level.unit) return false;
  const direction = directionOf(level);
  if (direction === null || level.value === mark.value) return false;
  const bar = clearlyWorseThan(mark.value, level.unit, direction);
  return direction === 'above' ? level.value >= bar : level.value <= bar;
};

export type Escalation = 'severity' | 'value';

/** Null: no worse than when it was decided about. */
export const escalationOf = (mark: Mark, severity: Severity, level: Level | null): Escalation | null => {
  if (isWorse(severity, mark.severity)) return 'severity';
  return isClearlyWorse(mark, level) ? 'value' : null;
};
