import fc from 'fast-check';
import { expect, test } from 'vitest';
import { duration, parseDuration } from '../../src/config/duration.ts';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

test('every whole number of every unit is read as that many milliseconds, with or without a space', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.constantFrom('ms', 's', 'm', 'h', 'd'), fc.boolean(), (amount, unit, space) => {
      expect(parseDuration(`${amount}${space ? ' ' : ''}${unit}`)).toBe(amount * UNITS[unit]);
    }),
  );
});

test.each([
  ['1.5h', 5_400_000],
  [' 90s ', 90_000],
  ['0.5ms', 1],
])('"%s" is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '5', 'm', '-5m', '5 minutes', '5M', '1e3s', '5m30s', 'Infinitys', '٥m'])(
  '"%s" is no duration',
  (text) => {
    expect(parseDuration(text)).toBeNull();
  },
);

test('the bounds of a setting are named where it leaves them', () => {
  const schema = duration({ atLeastMs: 60_000, atMostMs: 3_600_000 });
  expect(schema.parse('1m')).toBe(60_000);
  expect(schema.parse('1h')).toBe(3_600_000);
  for (const text of ['59s', '61m']) expect(schema.safeParse(text).error?.issues[0]?.message).toContain('60s to 3600s');
});
