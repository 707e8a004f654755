/** One thing that is wrong with a disk. A disk is one finding, which names all of them. */
import { type CountKind, type Rise, riseOf } from '../counter.ts';
import type { DetectorInput, Level } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { boundAt, type LevelSeverity, severityAt } from '../hysteresis.ts';
import { limitText } from '../level.ts';
import type { EffectiveLimit } from '../limit.ts';
import type { ReadingOf } from '../reading.ts';

export interface SmartFault {
  readonly severity: LevelSeverity;
  readonly what: string;
  readonly clears: string;
  readonly level: Level | null;
}

export const SMART_LIMITS = [
  'health',
  'pending',
  'uncorrected',
  'reallocated',
  'crc',
  'grownDefects',
  'mediaErrors',
  'wear',
  'selfTest',
] as const;

export type SmartLimit = (typeof SMART_LIMITS)[number];

export type SmartInput = DetectorInput<'smart', SmartLimit>;
export type Smart = ReadingOf<'smart'>;

/** A rise counts for a week; after that the count has stood still. */
export const RISING_WITHIN_MS = 7 * 86_400_000;

/** No disk has so many sectors: what is larger is packed in some way that nobody has undone. */
const COUNTS_BELOW = 2 ** 32;

export interface Counted {
  readonly kind: CountKind;
  readonly count: number;
  /** Its name in the history. */
  readonly metric: string;
}

/** Null: what was read is no count. */
export const riseIn = ({ history }: SmartInput, { takenAtMs }: Smart, { kind, count, metric }: Counted): Rise | null =>
  count >= 0 && count < COUNTS_BELOW
    ? riseOf({ kind, count, takenAtMs, samples: history.samples(metric), withinMs: RISING_WITHIN_MS })
    : null;

/** `, 3 of them within 7 d`, where some are new. */
export const riseText = ({ by }: Rise): string =>
  by === 0 ? '' : `, ${by} of them new within ${formatDuration(RISING_WITHIN_MS)}`;

export interface CountFault {
  readonly limit: EffectiveLimit;
  readonly count: number;
  readonly rise: Rise;
  /** From the count on: `5 sectors are waiting to be reallocated`. */
  readonly what: string;
  readonly clears: string;
  /** Where the count is past the warning limit, or rises. */
  readonly risingIs: LevelSeverity | null;
}

const worse = (a: LevelSeverity | null, b: LevelSeverity | null): LevelSeverity | null =>
  a === 'critical' || b === 'critical' ? 'critical' : (a ?? b);

/** Judges a count by its limit and, if `risingIs` says so, by its rise. Counts are whole: they need no band. */
export const countFault = ({ limit, count, rise, what, clears, risingIs }: CountFault): SmartFault | null => {
  if (limit.off !== null) return null;
  const byCount = severityAt(limit, count, null);
  const severity = worse(byCount, rise.by > 0 ? risingIs : null);
  if (severity === null) return null;
  const bound = byCount === null ? null : boundAt(limit, byCount);
  const against = bound === null ? '' : `, ${limitText(bound, limit.spec.unit)}`;
  return {
    severity,
    what: `${what}${riseText(rise)}${against}`,
    clears: rise.by > 0 && byCount === null ? `${clears} for ${formatDuration(RISING_WITHIN_MS)}` : clears,
    level: { value: count, limit: bound, unit: limit.spec.unit },
  };
};
