import { expect, test } from 'vitest';
import { allows, isTokenScope, type RequiredScope, TOKEN_SCOPES } from '../../src/capabilities/access.ts';

const REQUIRED: readonly RequiredScope[] = ['open', ...TOKEN_SCOPES];

test.each([
  ['read', ['open', 'read']],
  ['operate', ['open', 'read', 'operate']],
  ['approve', ['open', 'read', 'approve']],
  ['admin', ['open', 'read', 'operate', 'approve', 'admin']],
] as const)('a token with the scope %s may %s', (scope, may) => {
  expect(REQUIRED.filter((required) => allows([scope], required))).toEqual(may);
});

test('scopes add up, and without any only what is open may be asked', () => {
  expect(REQUIRED.filter((required) => allows(['operate', 'approve'], required))).toEqual([
    'open',
    'read',
    'operate',
    'approve',
  ]);
  expect(REQUIRED.filter((required) => allows([], required))).toEqual(['open']);
});

test('nothing but the four is a scope', () => {
  expect(['read', 'operate', 'approve', 'admin'].every(isTokenScope)).toBe(true);
  expect(['', 'Read', 'open', 'root', '__proto__', 'constructor'].some(isTokenScope)).toBe(false);
});
