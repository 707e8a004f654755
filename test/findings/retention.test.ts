import { expect, test } from 'vitest';
import { patrold } from '../../findings/history-entry.ts';
import { defaultRetention, isForgotten, keepDays } from '../../findings/retention.ts';
import { transition } from '../../findings/transition.ts';
import { DAY_MS, findingOf, NOW_MS } from '../support/findings.ts';

test('what is over is kept for 90 days unless told otherwise; what goes on is kept', () => {
  const outcome = transition(findingOf(), { kind: 'cleared', actor: patrold, reason: null }, NOW_MS);
  if (!outcome.ok) throw new Error(outcome.reason);
  expect(isForgotten(outcome.finding, defaultRetention, NOW_MS + 90 * DAY_MS)).toBe(false);
  expect(isForgotten(outcome.finding, defaultRetention, NOW_MS + 90 * DAY_MS + 1)).toBe(true);
  expect(isForgotten(outcome.finding, keepDays(7), NOW_MS + 8 * DAY_MS)).toBe(true);
  expect(isForgotten(findingOf(), defaultRetention, NOW_MS + 999 * DAY_MS)).toBe(false);
});
