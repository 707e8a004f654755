import { expect, test } from 'vitest';
import { FUTURE_TOLERANCE_MS, freshness, maxAgeMs } from '../../signals/freshness.ts';
import { READING_KINDS } from '../../signals/reading-mask.ts';
import { START_MS } from '../support/signal-story.ts';

test.each(READING_KINDS)('%s is fresh up to its age, then stale, and never from the future', (kind) => {
  const age = maxAgeMs(kind);
  expect(freshness(kind, START_MS, START_MS)).toBe('fresh');
  expect(freshness(kind, START_MS - age, START_MS)).toBe('fresh');
  expect(freshness(kind, START_MS - age - 1, START_MS)).toBe('stale');
  expect(freshness(kind, START_MS + FUTURE_TOLERANCE_MS, START_MS)).toBe('fresh');
  expect(freshness(kind, START_MS + FUTURE_TOLERANCE_MS + 1, START_MS)).toBe('future');
});

test('what is read hourly or daily may be older', () => {
  expect(maxAgeMs('cpu')).toBeLessThan(maxAgeMs('smart'));
  expect(maxAgeMs('smart')).toBeLessThan(maxAgeMs('backup'));
});
