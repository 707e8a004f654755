/** Durations as people write them: `90s`, `5m`, `24h`, `7d`. */
import { z } from 'zod';

const UNITS_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PATTERN = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;

const isUnit = (unit: string): unit is keyof typeof UNITS_MS => unit in UNITS_MS;

/** Milliseconds, or null where the text is no duration. */
export const parseDuration = (text: string): number | null => {
  const [, amount, unit = ''] = PATTERN.exec(text.trim()) ?? [];
  return amount === undefined || !isUnit(unit) ? null : Math.round(Number(amount) * UNITS_MS[unit]);
};

export interface DurationBounds {
  readonly atLeastMs?: number;
  readonly atMostMs?: number;
}

/** A zod type that reads a duration into milliseconds. */
export const duration = ({ atLeastMs = 0, atMostMs = 366 * UNITS_MS.d }: DurationBounds = {}) =>
  z
    .string({ error: 'expected a duration such as 90s, 5m, 24h or 7d' })
    .transform((text, context) => {
      const ms = parseDuration(text);
      if (ms === null) {
        context.addIssue({ code: 'custom', message: `"${text}" is no duration; write 90s, 5m, 24h or 7d` });
        return z.NEVER;
      }
      if (ms < atLeastMs || ms > atMostMs) {
        context.addIssue({
          code: 'custom',
          message: `${text} is out of range: ${atLeastMs / 1000}s to ${atMostMs / 1000}s`,
        });
        return z.NEVER;
      }
      return ms;
    })
    .meta({ duration: true });
