import { expect, test } from 'vitest';
import { formatBytes, formatDuration, formatOrigin, formatPercent, formatValue } from '../../signals/format.ts';

test.each([
  [0, '0 %'],
  [92.34, '92.3 %'],
  [100, '100 %'],
  [-0.01, '0 %'],
  [0.04, '0 %'],
])('%d is %s', (value, text) => {
  expect(formatPercent(value)).toBe(text);
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1.5 * 1024 ** 3, '1.5 GiB'],
  [400 * 1024 ** 3, '400 GiB'],
  [2 ** 80, '1048576 EiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [-5, '0 s'],
  [90_000, '90 s'],
  [120_000, '2 min'],
  [15 * 60_000, '15 min'],
  [125 * 60_000, '2 h 5 min'],
  [48 * 3_600_000, '2 d'],
  [76 * 3_600_000, '3 d 4 h'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [55.04, 'celsius', '55 °C'],
  [3, 'count', '3'],
  [50.4, 'ms', '50 ms'],
  [90, 'seconds', '90 s'],
  [36, 'hours', '36 h'],
  [40, 'days', '40 d'],
  [75, 'percent', '75 %'],
] as const)('%d as %s is %s', (value, unit, text) => {
  expect(formatValue(value, unit)).toBe(text);
});

test.each([
  [{ kind: 'default' }, 'default'],
  [{ kind: 'setting', path: 'alerts.guest.cpu.warning' }, 'alerts.guest.cpu.warning'],
  [{ kind: 'override', path: 'alerts.overrides[0].guest.cpu.warning' }, 'alerts.overrides[0].guest.cpu.warning'],
  [{ kind: 'import', path: 'rules.yml' }, 'imported: rules.yml'],
  [{ kind: 'derived', reason: 'why' }, 'derived: why'],
] as const)('the origin %o is told as %s', (origin, text) => {
  expect(formatOrigin(origin)).toBe(text);
});
