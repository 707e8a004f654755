import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Coverage, SourceCoverage } from '../../src/patrol/coverage.ts';
import { statusOf } from '../../src/patrol/run-status.ts';

const source = (outcome: SourceCoverage['outcome']): SourceCoverage => ({
  sourceId: outcome,
  outcome,
  reason: null,
  durationMs: 1,
});
const coverage = (patch: Partial<Coverage> = {}): Coverage => ({
  raised: 0,
  clear: 5,
  unobserved: 0,
  accepted: 0,
  warmingUp: 0,
  skipped: 0,
  resources: 3,
  sources: [source('ok')],
  ...patch,
});
const status = (patch: Partial<Parameters<typeof statusOf>[0]> = {}) =>
  statusOf({ coverage: coverage(), worst: null, stageFailed: false, modelMissing: false, ...patch });

describe('the word for a run', () => {
  test.each([
    ['healthy', {}],
    ['healthy', { worst: 'watch' }],
    ['healthy', { coverage: coverage({ warmingUp: 3, accepted: 2 }) }],
    ['incomplete', { coverage: coverage({ unobserved: 1 }) }],
    ['incomplete', { coverage: coverage({ sources: [source('ok'), source('failed')] }) }],
    ['incomplete', { modelMissing: true }],
    ['issues_found', { worst: 'warning', coverage: coverage({ unobserved: 9 }) }],
    ['critical', { worst: 'critical' }],
    ['error', { coverage: coverage({ sources: [source('failed')] }), worst: 'critical' }],
    ['error', { stageFailed: true, worst: 'critical' }],
  ] as const)('is %s for %j', (expected, patch) => {
    expect(status(patch)).toBe(expected);
  });

  test('is never healthy where something was not seen', () => {
    fc.assert(
      fc.property(
        fc.nat(5),
        fc.nat(5),
        fc.constantFrom(null, 'info', 'watch', 'warning', 'critical'),
        fc.boolean(),
        (unobserved, warmingUp, worst, stageFailed) => {
          const word = status({ coverage: coverage({ unobserved, warmingUp }), worst, stageFailed } as never);
          expect(word === 'healthy' && unobserved > 0).toBe(false);
        },
      ),
    );
  });
});
