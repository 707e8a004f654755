/** Judges a figure against a limit: the answer of every detector that has one. */
import type { BadStreak, Judgement, Level, VerdictMemory } from './detector.ts';
import { formatOrigin, formatValue } from './format.ts';
import { boundAt, type LevelSeverity, severityAt } from './hysteresis.ts';
import type { Bound, EffectiveLimit, Unit } from './limit.ts';
import type { EvidenceId } from './reading.ts';
import type { Facts } from './resource.ts';

/** `limit 85 % (alerts.guest.cpu.warning)` */
export const limitText = (bound: Bound, unit: Unit): string =>
  `limit ${formatValue(bound.trigger, unit)} (${formatOrigin(bound.origin)})`;

/** `back at 80 % or less`; `what` is the subject of the sentence. */
export const clearsText = (limit: EffectiveLimit, bound: Bound, what: string): string =>
  `${what} is back at ${formatValue(bound.clear, limit.spec.unit)} or ${limit.spec.direction === 'below' ? 'more' : 'less'}`;

export interface LevelInput {
  readonly limit: EffectiveLimit;
  /** In the limit's unit. */
  readonly value: number;
  readonly before: VerdictMemory | null;
  readonly evidence: readonly EvidenceId[];
  readonly subject?: string | null;
  /** Start of the summary, from the value with its unit: `CPU 92 % busy over 15 min`. Asked only when it is raised. */
  readonly what: (value: string) => string;
  /** What has to be back: `the mean over 15 min`. */
  readonly clears: string;
  /** Said after the limit. */
  readonly also?: (severity: LevelSeverity) => readonly string[];
  /** A severity may be lowered for reasons beside the figure; never raised. */
  readonly cap?: (severity: LevelSeverity) => LevelSeverity | null;
  readonly details?: Facts;
  readonly sinceMs?: number;
  readonly bad?: BadStreak;
}

export const levelOf = (limit: EffectiveLimit, bound: Bound, value: number): Level => ({
  value,
  limit: bound,
  unit: limit.spec.unit,
  direction: limit.spec.direction === 'below' ? 'below' : 'above',
});

/** Ratios times 100 end a hair beside the figure that people see and write: 0.57 * 100 is 56.99999999999999. */
export const tidy = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Raised, clear, or unobserved where the figure is none. */
export const judgeLevel = (input: LevelInput): Judgement => {
  const { limit, subject = null } = input;
  const value = tidy(input.value);
  if (!Number.isFinite(value)) {
    return {
      state: 'unobserved',
      subject,
      code: 'malformed',
      reason: `the ${limit.spec.metric} figure is not a number`,
    };
  }
  const reachedSeverity = severityAt(limit, value, input.before);
  const severity = reachedSeverity === null || input.cap === undefined ? reachedSeverity : input.cap(reachedSeverity);
  const bound =
    severity === null || reachedSeverity === null
      ? null
      : (boundAt(limit, severity) ?? boundAt(limit, reachedSeverity));
  if (severity === null || bound === null) return { state: 'clear', subject };
  const { unit } = limit.spec;
  const sentence = [
    `${input.what(formatValue(value, unit))}, ${limitText(bound, unit)}`,
    ...(input.also?.(severity) ?? []),
  ];
  return {
    state: 'raised',
    subject,
    severity,
    level: levelOf(limit, bound, value),
    summary: sentence.join('; '),
    clearsWhen: clearsText(limit, bound, input.clears),
    evidence: input.evidence,
    ...(input.details === undefined ? {} : { details: input.details }),
    ...(input.sinceMs === undefined ? {} : { sinceMs: input.sinceMs }),
    ...(input.bad === undefined ? {} : { bad: input.bad }),
  };
};
