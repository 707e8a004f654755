import { expect, test } from 'vitest';
import { ERROR_CODES, PatroldError } from '../../src/runtime/errors.ts';

test('an error carries its code, its remedy, its cause and facts', () => {
  const cause = new Error('SQLITE_BUSY');
  const error = new PatroldError('database_locked', 'held by another process', { cause, details: { path: '/x.db' } });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'PatroldError', code: 'database_locked', cause, details: { path: '/x.db' } });
  expect(error.remedy).toBe(ERROR_CODES.database_locked.remedy);
  expect(String(error)).toBe('PatroldError: held by another process');
});

test('an error without a cause has none', () => {
  const error = new PatroldError('database_full', 'no space');
  expect('cause' in error).toBe(false);
  expect(error.details).toEqual({});
});

test.each(Object.entries(ERROR_CODES))(
  '%s is named in snake case and explained in single lines',
  (code, { meaning, remedy }) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)+$/);
    for (const line of [meaning, remedy]) expect(line).toMatch(/^[A-Z`p][^\n]+[.)]$/);
  },
);
