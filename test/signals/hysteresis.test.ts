import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Severity } from '../../signals/detector.ts';
import { boundAt, type LevelSeverity, severityAt as severityAfter } from '../../signals/hysteresis.ts';
import type { EffectiveLimit, LimitSpec, Unit } from '../../signals/limit.ts';
import { noSettings, resolveLimit } from '../../signals/limits.ts';
import { resourceOf, settingsOf } from '../support/signal-story.ts';

const specOf = (more: Partial<LimitSpec> = {}): LimitSpec => ({
  metric: 'usage',
  kinds: ['filesystem'],
  unit: 'percent',
  direction: 'above',
  warning: 75,
  critical: 95,
  clearBy: 5,
  forMs: 0,
  because: '',
  ...more,
});

const limitOf = (more: Partial<LimitSpec> = {}): EffectiveLimit =>
  resolveLimit(specOf(more), noSettings, resourceOf('filesystem'));

/** As it was before, against the limit as it is. */
const severityAt = (limit: EffectiveLimit, value: number, before: Severity | null): LevelSeverity | null =>
  severityAfter(limit, value, before === null ? null : { severity: before });

const above = limitOf();
const below = limitOf({ direction: 'below', warning: 5, critical: 3, clearBy: 2 });

describe('a limit that is bad above', () => {
  test.each([
    [74.9, null, null],
    [75, null, 'warning'],
    [94.9, null, 'warning'],
    [95, null, 'critical'],
    [70.1, 'warning', 'warning'],
    [70, 'warning', null],
    [90.1, 'critical', 'critical'],
    [90, 'critical', 'warning'],
    [70.1, 'critical', 'warning'],
    [70, 'critical', null],
    [90.1, 'warning', 'warning'],
    [72, 'info', null],
  ] as const)('at %d %%, %s before, it is %s', (value, before, expected) => {
    expect(severityAt(above, value, before)).toBe(expected);
  });
});

describe('a limit that is bad below', () => {
  test.each([
    [5.1, null, null],
    [5, null, 'warning'],
    [3, null, 'critical'],
    [6.9, 'warning', 'warning'],
    [7, 'warning', null],
    [4.9, 'critical', 'critical'],
    [5, 'critical', 'warning'],
  ] as const)('at %d %%, %s before, it is %s', (value, before, expected) => {
    expect(severityAt(below, value, before)).toBe(expected);
  });
});

const UNITS: readonly Unit[] = ['percent', 'count', 'ms', 'hours', 'days', 'seconds', 'celsius'];

/** Any limit an operator may write, sense or nonsense. */
const written = fc.record(
  {
    direction: fc.constantFrom('above' as const, 'below' as const),
    unit: fc.constantFrom(...UNITS),
    warning: fc.option(fc.integer({ min: -20, max: 130 })),
    critical: fc.option(fc.integer({ min: -20, max: 130 })),
    clear: fc.option(fc.integer({ min: -20, max: 130 })),
    clearCritical: fc.option(fc.integer({ min: -20, max: 130 })),
    clearBy: fc.integer({ min: 0, max: 20 }),
  },
  { requiredKeys: ['direction', 'unit', 'warning', 'critical', 'clearBy'] },
);

const limitFrom = ({
  direction,
  unit,
  warning,
  critical,
  clear,
  clearCritical,
  clearBy,
}: typeof written extends fc.Arbitrary<infer T> ? T : never) => {
  const set = (value: number | null | undefined, key: string) => (value == null ? {} : { [key]: value });
  const setting = {
    ...set(warning, 'warning'),
    ...set(critical, 'critical'),
    ...set(clear, 'clear'),
    ...set(clearCritical, 'clearCritical'),
  };
  const [low, high] = direction === 'above' ? [40, 60] : [60, 40];
  return resolveLimit(
    specOf({ direction, unit, clearBy, warning: low, critical: high }),
    settingsOf('filesystem', 'usage', setting),
    resourceOf('filesystem'),
  );
};

const bestValue = ({ spec: { direction, unit } }: EffectiveLimit): number => {
  if (direction === 'below') return unit === 'percent' ? 100 : 1e9;
  return unit === 'celsius' ? -1e9 : 0;
};

const BEFORE: readonly (Severity | null)[] = [null, 'warning', 'critical'];

test.each([
  // Raised at 92 % of 85 %, as it was before the operator wrote 96 %.
  ['above', 96, 92, 'warning', 85, null],
  ['above', 85, 83, 'warning', 85, 'warning'],
  ['above', 84, 82, 'warning', 85, 'warning'],
  ['above', 96, 97, 'warning', 85, 'warning'],
  ['above', 96, 97, 'critical', 95, 'warning'],
  ['above', 85, 83, 'warning', null, 'warning'],
  ['below', 5, 6, 'warning', 10, null],
  ['below', 5, 6, 'warning', 5, 'warning'],
  ['below', 5, 6, 'warning', 4, 'warning'],
] as const)(
  'with a limit %s %d %%, %d %% that was raised as %s against %s %% is %s',
  (direction, warning, value, severity, trigger, expected) => {
    const limit = limitOf({ direction, warning, critical: null, clearBy: 5 });
    expect(severityAfter(limit, value, { severity, trigger })).toBe(expected);
  },
);

test('whatever limit is written, the best value of its scale clears what was raised', () => {
  fc.assert(
    fc.property(written, fc.constantFrom(...BEFORE), (input, before) => {
      const limit = limitFrom(input);
      expect(severityAt(limit, bestValue(limit), before)).toBeNull();
    }),
    { numRuns: 2_000 },
  );
});

test('clear never lies past its trigger, and a raised value says which bound it stands on', () => {
  fc.assert(
    fc.property(
      written,
      fc.double({ min: -50, max: 200, noNaN: true }),
      fc.constantFrom(...BEFORE),
      (input, value, before) => {
        const limit = limitFrom(input);
        for (const bound of [limit.warning, limit.critical]) {
          if (bound === null) continue;
          const past = limit.spec.direction === 'below' ? bound.clear < bound.trigger : bound.clear > bound.trigger;
          expect(past).toBe(false);
        }
        const severity = severityAt(limit, value, before);
        if (severity !== null) expect(boundAt(limit, severity)).not.toBeNull();
      },
    ),
    { numRuns: 2_000 },
  );
});

test('no sequence of values inside a band changes what was said', () => {
  fc.assert(
    fc.property(
      written,
      fc.constantFrom('warning' as const, 'critical' as const),
      fc.boolean(),
      fc.array(fc.double({ min: 0.001, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 20 }),
      (input, severity, raisedFirst, places) => {
        const limit = limitFrom(input);
        const bound = boundAt(limit, severity);
        const other = boundAt(limit, severity === 'warning' ? 'critical' : 'warning');
        if (bound === null || bound.clear === bound.trigger) return;
        const inside = places.map((place) => bound.clear + (bound.trigger - bound.clear) * place);
        // Another severity's trigger or clear inside the band is another story.
        const [low, high] = [Math.min(bound.clear, bound.trigger), Math.max(bound.clear, bound.trigger)];
        if (other !== null && [other.trigger, other.clear].some((edge) => edge >= low && edge <= high)) return;
        let known: Severity | null = raisedFirst ? severityAt(limit, bound.trigger, null) : null;
        if (raisedFirst && known !== severity) return;
        const [first, ...rest] = inside;
        known = severityAt(limit, first ?? 0, known);
        for (const value of rest) {
          const next = severityAt(limit, value, known);
          expect(next).toBe(known);
          known = next;
        }
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a worse value never has a lower severity', () => {
  const rank = (severity: string | null): number => (severity === null ? 0 : severity === 'warning' ? 1 : 2);
  const value = fc.double({ min: -50, max: 200, noNaN: true });
  fc.assert(
    fc.property(written, value, value, fc.constantFrom(...BEFORE), (input, a, b, before) => {
      const limit = limitFrom(input);
      const [better, worse] =
        limit.spec.direction === 'below' ? [Math.max(a, b), Math.min(a, b)] : [Math.min(a, b), Math.max(a, b)];
      expect(rank(severityAt(limit, worse, before))).toBeGreaterThanOrEqual(rank(severityAt(limit, better, before)));
    }),
    { numRuns: 3_000 },
  );
});
