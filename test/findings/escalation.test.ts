import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clearlyWorseThan, directionOf, escalationOf } from '../../findings/escalation.ts';
import type { Mark } from '../../findings/finding.ts';
import { type Level, SEVERITIES, severityRank } from '../../signals/detector.ts';
import type { Unit } from '../../signals/limit.ts';
import { percent } from '../support/findings.ts';

const below = (value: number, unit: Unit, trigger: number): Level => ({
  value,
  unit,
  limit: { trigger, clear: trigger + 1, origin: { kind: 'default' } },
});
const UNITS: readonly Unit[] = ['percent', 'celsius', 'count', 'ms', 'hours', 'days', 'seconds'];

test.each([
  // A quarter of what is left to the end of the scale.
  [80, 'percent', 'above', 85],
  [96, 'percent', 'above', 97],
  [99, 'percent', 'above', 99.5],
  // A guest's CPU may pass 100 %: a quarter more.
  [120, 'percent', 'above', 150],
  [4, 'percent', 'below', 3],
  [1, 'percent', 'below', 0.5],
  [12, 'days', 'below', 9],
  // Where a scale has no end, a quarter more; a count moves by one at least.
  [8, 'count', 'above', 10],
  [1, 'count', 'above', 2],
  [48, 'hours', 'above', 60],
  [100, 'ms', 'above', 125],
  // Celsius has no zero to take shares of.
  [57, 'celsius', 'above', 62],
] as const)('%d %s is clearly worse (%s) from %d on', (value, unit, direction, bar) => {
  expect(clearlyWorseThan(value, unit, direction)).toBe(bar);
});

test('the direction is read off the limit, is above for a count, and is unknown without either', () => {
  expect(directionOf(percent(80))).toBe('above');
  expect(directionOf(below(4, 'percent', 5))).toBe('below');
  expect(directionOf({ value: 3, unit: 'count', limit: null })).toBe('above');
  expect(directionOf({ value: 3, unit: 'days', limit: null })).toBeNull();
  expect(directionOf({ value: 3, unit: 'days', limit: null, direction: 'below' })).toBe('below');
});

const mark = (value: number | null, unit: Unit | null = 'percent'): Mark => ({ severity: 'warning', value, unit });

test.each([
  ['a worse severity', mark(80), 'critical', percent(80), 'severity'],
  ['a clearly worse value', mark(80), 'warning', percent(85), 'value'],
  ['a slightly worse value', mark(80), 'warning', percent(84.9), null],
  ['a better value', mark(80), 'warning', percent(76), null],
  ['a milder severity with a worse value', mark(80), 'watch', percent(90), 'value'],
  ['fewer days left', mark(12, 'days'), 'warning', below(9, 'days', 20), 'value'],
  ['more days left', mark(12, 'days'), 'warning', below(15, 'days', 20), null],
  ['a figure of another unit', mark(80), 'warning', below(1, 'days', 20), null],
  ['no figure any more', mark(80), 'warning', null, null],
  ['a figure where there was none', mark(null, null), 'warning', percent(99), null],
] as const)('%s escalates: %s', (_what, made, severity, level, expected) => {
  expect(escalationOf(made, severity, level)).toBe(expected);
});

test('escalation is monotone: what is worse than something that escalates escalates too', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.double({ min: 0, max: 200, noNaN: true }),
      fc.double({ min: 0, max: 50, noNaN: true }),
      fc.constantFrom(...SEVERITIES),
      fc.constantFrom(...SEVERITIES),
      (made, value, more, severity, other) => {
        const worse = severityRank(other) >= severityRank(severity) ? other : severity;
        const first = escalationOf(mark(made), severity, percent(value));
        const second = escalationOf(mark(made), worse, percent(value + more));
        return first === null || second !== null;
      },
    ),
  );
});

test('the same figure never escalates, whatever the unit and direction', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...UNITS),
      fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
      fc.constantFrom('above', 'below'),
      (unit, value, direction) => {
        const level: Level = { value, unit, limit: null, direction };
        return escalationOf({ severity: 'warning', value, unit }, 'warning', level) === null;
      },
    ),
  );
});
