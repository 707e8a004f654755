import { expect, test } from 'vitest';
import { LONGEST_MAINTENANCE_MS, mergeStates, nothingDeclared, whyInvalid } from '../../findings/operator-state.ts';
import { asResourceId } from '../../signals/resource.ts';
import { HOUR_MS, NOW_MS } from '../support/findings.ts';

test.each([
  [{}, true],
  [{ maintenance: null }, true],
  [{ maintenance: { fromMs: NOW_MS, untilMs: NOW_MS + HOUR_MS } }, true],
  [{ maintenance: { fromMs: NOW_MS, untilMs: NOW_MS } }, false],
  [{ maintenance: { fromMs: NOW_MS, untilMs: Number.NaN } }, false],
  [{ maintenance: { fromMs: NOW_MS, untilMs: NOW_MS + LONGEST_MAINTENANCE_MS + 1 } }, false],
])('%o is sound: %s', (patch, sound) => {
  expect(whyInvalid(patch) === null).toBe(sound);
});

test('of two states of one resource nothing that was declared is dropped', () => {
  const a = {
    ...nothingDeclared(asResourceId('a')),
    muted: true,
    note: 'in the cellar',
    maintenance: { fromMs: 0, untilMs: 10 },
  };
  const b = {
    ...nothingDeclared(asResourceId('b')),
    neverAutoRemediate: true,
    criticality: 'high',
    note: 'ask Bob',
    maintenance: { fromMs: 5, untilMs: 20 },
  } as const;
  expect(mergeStates(a, b)).toEqual({
    resourceId: 'a',
    muted: true,
    neverAutoRemediate: true,
    retired: false,
    expectedOffline: false,
    criticality: 'high',
    note: 'in the cellar / ask Bob',
    maintenance: { fromMs: 5, untilMs: 20 },
  });
});
