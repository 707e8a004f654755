import { expect, test } from 'vitest';
import { forText } from '../../signals/for-text.ts';

test('the time that a fault must last is told with who set it', () => {
  expect(forText({ forMs: 300_000, forOrigin: { kind: 'default' } })).toBe('limit 5 min (default)');
  expect(
    forText({ forMs: 90_000, forOrigin: { kind: 'override', path: 'alerts.overrides[0].service.failed.for' } }),
  ).toBe('limit 90 s (alerts.overrides[0].service.failed.for)');
});
