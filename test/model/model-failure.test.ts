import { expect, test } from 'vitest';
import { FAILURE_CODES, ModelFailure } from '../../src/model/model-failure.ts';
import { ERROR_CODES, PatroldError } from '../../src/runtime/errors.ts';

test('a failure is an error of patrold with a code and a remedy of its own kind', () => {
  const failure = new ModelFailure('rate_limited', 'too many requests', { retryAfterMs: 2_000 });
  expect(failure).toBeInstanceOf(PatroldError);
  expect(failure).toMatchObject({ kind: 'rate_limited', code: 'model_rate_limited', retryAfterMs: 2_000 });
  expect(failure.remedy).toBe(ERROR_CODES.model_rate_limited.remedy);
});

test('each kind has a code that no other kind has', () => {
  const codes = Object.values(FAILURE_CODES);
  expect(new Set(codes).size).toBe(codes.length);
});
