import { expect, test } from 'vitest';
import { retryAfterOf } from '../../src/model/retry-after.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const asked = (headers: Readonly<Record<string, string>>, body = ''): number | null =>
  retryAfterOf({ status: 429, headers, code: '', reason: '', body }, NOW_MS);

test.each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, 60_000],
  [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
  [{ 'retry-after': '999999999' }, 86_400_000],
])('%j is %d ms', (headers, ms) => {
  expect(asked(headers)).toBe(ms);
});

test.each([[{}], [{ 'retry-after': 'soon' }], [{ 'retry-after': '-5' }], [{ 'retry-after-ms': 'NaN' }]])(
  '%j asks for nothing',
  (headers) => {
    // A date that JavaScript reads out of "-5" lies in the past.
    expect(asked(headers) ?? 0).toBe(0);
  },
);

test('Google asks in the body', () => {
  expect(asked({}, '{"error":{"details":[{"retryDelay": "37s"}]}}')).toBe(37_000);
});
