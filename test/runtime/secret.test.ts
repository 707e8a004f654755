import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createSecret, isSecret } from '../../src/runtime/secret.ts';

const VALUE = 'hunter2-hunter2';

test('a secret reveals its value when asked', () => {
  expect(createSecret(VALUE).reveal()).toBe(VALUE);
});

test.each([
  ['as text', (secret: unknown) => `${secret}`],
  ['as a concatenation', (secret: unknown) => `token: ${String(secret)}`],
  ['as JSON', (secret: unknown) => JSON.stringify({ secret, list: [secret] })],
  ['when inspected', (secret: unknown) => inspect({ deep: { secret } }, { showHidden: true, depth: 9 })],
  ['in an error message', (secret: unknown) => new Error(`refused ${secret}`).stack ?? ''],
  ['when its properties are walked', (secret: unknown) => JSON.stringify(Object.entries(secret as object).map(String))],
])('a secret does not print its value %s', (_how, print) => {
  expect(print(createSecret(VALUE))).not.toContain(VALUE);
});

test('a secret prints that it was redacted', () => {
  expect([`${createSecret(VALUE)}`, JSON.stringify(createSecret(VALUE)), inspect(createSecret(VALUE))]).toEqual([
    '[redacted]',
    '"[redacted]"',
    '[redacted]',
  ]);
});

test('only what was made as a secret is one', () => {
  expect(isSecret(createSecret(VALUE))).toBe(true);
  for (const other of [VALUE, null, undefined, { reveal: () => VALUE }]) expect(isSecret(other)).toBe(false);
});
