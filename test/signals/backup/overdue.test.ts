import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OverdueInput, overdue } from '../../../signals/backup/overdue.ts';
import type { EffectiveLimit, LimitOrigin } from '../../../signals/limit.ts';
import { DAY_MS, HOUR_MS, START_MS } from '../../support/signal-story.ts';

const DEFAULT: LimitOrigin = { kind: 'default' };
const WRITTEN: LimitOrigin = { kind: 'setting', path: 'alerts.guest.backupAge.warning' };

const limitOf = (warning: number | null, critical: number | null, origin: LimitOrigin = DEFAULT): EffectiveLimit => {
  const bound = (trigger: number | null, by: LimitOrigin) =>
    trigger === null ? null : { trigger, clear: trigger, origin: by };
  return {
    spec: {
      metric: 'backupAge',
      kinds: ['vm'],
      unit: 'hours',
      direction: 'above',
      warning: 48,
      critical: 96,
      clearBy: 0,
      forMs: 0,
      because: '',
    },
    off: null,
    warning: bound(warning, origin),
    critical: bound(critical, DEFAULT),
    forMs: 0,
    forOrigin: DEFAULT,
  };
};

const BY_DEFAULT = limitOf(48, 96);

/** Age in hours, without a job. */
const input = (ageHours: number, more: Partial<OverdueInput> = {}): OverdueInput => ({
  schedule: null,
  running: false,
  hasBackup: true,
  fromMs: START_MS - ageHours * HOUR_MS,
  limit: BY_DEFAULT,
  before: null,
  nowMs: START_MS,
  ...more,
});

/** Due every day, the last good one begun so long ago. */
const daily = (
  ageHours: number,
  more: Partial<OverdueInput> = {},
  usualDurationMs: number | null = null,
): OverdueInput => {
  const fromMs = START_MS - ageHours * HOUR_MS;
  return input(ageHours, {
    schedule: { description: 'daily', dueAtMs: [fromMs + DAY_MS, fromMs + 2 * DAY_MS], usualDurationMs },
    ...more,
  });
};

const state = (given: OverdueInput): string | null => overdue(given)?.severity ?? null;

describe('by age', () => {
  test.each<[string, OverdueInput, string | null]>([
    ['just below two days', input(47.99), null],
    ['two days', input(48), 'warning'],
    ['four days', input(96), 'critical'],
    ['two days while a run is under way', input(48, { running: true }), null],
    ['two hours later it is no excuse', input(50, { running: true }), 'warning'],
    ['nor where it was overdue before', input(48, { running: true, before: 'warning' }), 'warning'],
    ['a written warning, doubled for critical', input(20, { limit: limitOf(10, 96, WRITTEN) }), 'critical'],
    ['a written warning', input(19, { limit: limitOf(10, 96, WRITTEN) }), 'warning'],
    ['a warning that is off', input(48, { limit: limitOf(null, 96) }), null],
    ['a critical that is off', input(9999, { limit: limitOf(48, null) }), 'warning'],
  ])('%s', (_, given, expected) => {
    expect(state(given)).toBe(expected);
  });
});

describe('by the calendar', () => {
  test.each<[string, OverdueInput, string | null]>([
    ['inside the grace of two hours', daily(25.99), null],
    ['after it', daily(26), 'warning'],
    ['missed twice', daily(50), 'critical'],
    ['inside twice the usual duration', daily(33.99, {}, 5 * HOUR_MS), null],
    ['after it', daily(34, {}, 5 * HOUR_MS), 'warning'],
    ['while a run is under way', daily(26, { running: true }), null],
    ['while a run hangs', daily(28, { running: true }), 'warning'],
    ['once overdue, the grace does not begin again', daily(25, { before: 'warning', running: true }), 'warning'],
    ['once critical, likewise', daily(49, { before: 'critical', running: true }), 'critical'],
    ['a limit that the operator wrote goes before it', daily(50, { limit: limitOf(72, 96, WRITTEN) }), null],
  ])('%s', (_, given, expected) => {
    expect(state(given)).toBe(expected);
  });

  test('the limit is the age at which it was due, and says whose calendar', () => {
    expect(overdue(daily(26))?.bound).toEqual({
      trigger: 26,
      clear: 26,
      origin: { kind: 'derived', reason: "the job's calendar: daily" },
    });
  });
});

describe('what was never backed up', () => {
  const never = (ageHours: number, more: Partial<OverdueInput> = {}) => input(ageHours, { hasBackup: false, ...more });
  const weekly = (ageHours: number): OverdueInput => {
    const fromMs = START_MS - ageHours * HOUR_MS;
    return never(ageHours, {
      schedule: { description: 'weekly', dueAtMs: [fromMs + 5 * DAY_MS, fromMs + 12 * DAY_MS], usualDurationMs: null },
    });
  };
  test.each<[string, OverdueInput, string | null]>([
    ['on its first day', never(23.9), null],
    ['after a day', never(24), 'warning'],
    ['after a week', never(168), 'critical'],
    ['whose job is not due yet', weekly(100), null],
    ['whose job was due', weekly(122), 'warning'],
    ['a week old, whose job was due once', weekly(200), 'warning'],
    ['whose job was due twice', weekly(290), 'critical'],
    ['by a limit that the operator wrote', never(24, { limit: limitOf(72, 96, WRITTEN) }), null],
  ])('%s', (_, given, expected) => {
    expect(state(given)).toBe(expected);
  });
});

test('time alone never makes it better', () => {
  const hours = fc.double({ min: 0, max: 400, noNaN: true });
  const any = fc.record({
    running: fc.boolean(),
    hasBackup: fc.boolean(),
    before: fc.constantFrom(null, 'warning' as const, 'critical' as const),
    limit: fc.constantFrom(BY_DEFAULT, limitOf(10, 96, WRITTEN), limitOf(48, null), limitOf(null, 96)),
    schedule: fc.option(
      fc.record({
        description: fc.constant('x'),
        dueAtMs: fc
          .tuple(hours, hours)
          .map(([a, b]) => [START_MS + a * HOUR_MS, START_MS + (a + b) * HOUR_MS] as const),
        usualDurationMs: fc.option(hours.map((value) => value * HOUR_MS)),
      }),
    ),
  });
  const rank = (given: OverdueInput): number => ['warning', 'critical'].indexOf(state(given) ?? '') + 1;
  fc.assert(
    fc.property(any, hours, hours, (rest, age, more) => {
      const at = (passed: number): OverdueInput => ({ ...rest, fromMs: START_MS, nowMs: START_MS + passed * HOUR_MS });
      expect(rank(at(age + more))).toBeGreaterThanOrEqual(rank(at(age)));
    }),
  );
});
