import { expect, test } from 'vitest';
import { causesOf, readProviderError } from '../../src/model/provider-error.ts';

const read = (responseBody: unknown) =>
  readProviderError({
    statusCode: 400,
    responseBody: typeof responseBody === 'string' ? responseBody : JSON.stringify(responseBody),
  });

test.each<readonly [unknown, string, string]>([
  [
    { error: { message: 'too long', code: 'context_length_exceeded', type: 'invalid_request_error' } },
    'too long',
    'context_length_exceeded invalid_request_error',
  ],
  [{ error: { code: 400, message: 'no key', status: 'INVALID_ARGUMENT' } }, 'no key', 'INVALID_ARGUMENT'],
  [[{ error: { message: 'listed' } }], 'listed', ''],
  [{ error: 'just text' }, 'just text', ''],
  [{ detail: 'of a proxy' }, 'of a proxy', ''],
  [{ message: 'bare' }, 'bare', ''],
  ['plain text', 'plain text', ''],
  ['<html><body>Bad Gateway</body></html>', '', ''],
])('%j', (body, reason, code) => {
  expect(read(body)).toMatchObject({ status: 400, reason, code });
});

test('what a stream throws is read too: an object, an error, a text', () => {
  expect(
    readProviderError({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  ).toMatchObject({ reason: 'Overloaded', code: 'overloaded_error' });
  expect(readProviderError(new Error('broken'))).toMatchObject({ status: null, reason: 'broken' });
  expect(readProviderError('gone')).toMatchObject({ reason: 'gone' });
});

test('causes that go round end', () => {
  const first = new Error('first');
  const second = new Error('second', { cause: first });
  first.cause = second;
  expect(causesOf(second).length).toBeLessThan(20);
});
