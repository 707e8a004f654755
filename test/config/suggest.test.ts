import fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggest } from '../../src/config/suggest.ts';

test.each([
  ['schedul', ['schedule', 'watch'], 'schedule'],
  ['Schedule', ['schedule'], 'schedule'],
  ['cpuu', ['cpu', 'memory'], 'cpu'],
  ['prometeus', ['host', 'prometheus', 'docker'], 'prometheus'],
  ['zzz', ['cpu', 'memory'], null],
  ['anything', [], null],
])('for "%s" of %j it is %s', (word, known, expected) => {
  expect(suggest(word, known)).toBe(expected);
});

test('a known word is its own best suggestion, and what is suggested is always known', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{3,12}$/), { minLength: 1 }), fc.string(), (known, word) => {
      expect(suggest(known[0] ?? '', known)).toBe(known[0]);
      const found = suggest(word, known);
      expect(found === null || known.includes(found)).toBe(true);
    }),
  );
});
