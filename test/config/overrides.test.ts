import { expect, test } from 'vitest';
import { applyOverrides, fromEnvironment, OVERRIDABLE } from '../../src/config/overrides.ts';

test.each(Object.entries(OVERRIDABLE))('%s lays over %s', (name, path) => {
  const { overrides, problems } = fromEnvironment({ [name]: 'value', HOME: '/root' });
  expect(problems).toEqual([]);
  expect(overrides).toEqual([{ path, value: 'value', origin: name }]);
  const [section = '', key = ''] = path.split('.');
  expect(applyOverrides({ [section]: { other: 1, [key]: 'old' } }, overrides)).toEqual({
    [section]: { other: 1, [key]: 'value' },
  });
});

test('an empty variable is none, and the config that was read is not changed', () => {
  expect(fromEnvironment({ PATROLD_LOG_LEVEL: '' })).toEqual({ overrides: [], problems: [] });
  const raw = Object.freeze({ log: Object.freeze({ level: 'info' }) });
  const laid = applyOverrides(raw, [
    { path: 'log.level', value: 'warn', origin: 'a' },
    { path: 'log.level', value: 'debug', origin: 'b' },
  ]);
  expect(laid).toEqual({ log: { level: 'debug' } });
  expect(raw).toEqual({ log: { level: 'info' } });
});

test.each([null, undefined, 'text', ['list']])('over %j there is a config all the same', (raw) => {
  const override = { path: 'log.level', value: 'warn', origin: 'a' } as const;
  expect(applyOverrides(raw, [override])).toEqual({ log: { level: 'warn' } });
});
