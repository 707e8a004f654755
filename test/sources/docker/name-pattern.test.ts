import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesPattern } from '../../../src/sources/docker/name-pattern.ts';

const asExpression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll(/[\\^$.|+(){}[\]]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  );

describe('matchesPattern', () => {
  it.each([
    ['web', 'web', true],
    ['web', 'web2', false],
    ['web*', 'web', true],
    ['*-test', 'db-test', true],
    ['k8s_*_kube-system_*', 'k8s_POD_x_kube-system_0', true],
    ['web?', 'web', false],
    ['web.1', 'webx1', false],
    ['', '', true],
    ['*', '', true],
  ])('%j and %j: %s', (pattern, name, fits) => {
    expect(matchesPattern(pattern, name)).toBe(fits);
  });

  it('agrees with the regular expression that it stands for', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (pattern, name) => matchesPattern(pattern, name) === asExpression(pattern).test(name)),
    );
  });

  it('takes no longer for a pattern that is made to take long', () => {
    const begun = performance.now();
    expect(matchesPattern(`${'*a'.repeat(60)}b`, 'a'.repeat(128))).toBe(false);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
