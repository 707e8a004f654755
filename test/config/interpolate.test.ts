import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interpolate } from '../../src/config/interpolate.ts';

test.each([
  ['${A}', 'one'],
  ['x-${A}-${B}', 'x-one-two'],
  ['${NONE:-fallback}', 'fallback'],
  ['${NONE:-}', ''],
  ['${A:-fallback}', 'one'],
  ['$${A}', '${A}'],
  ['$$$${A}', '$${A}'],
  ['$A', '$A'],
  ['${1X}', '${1X}'],
])('%s becomes "%s"', (text, expected) => {
  expect(interpolate(text, { A: 'one', B: 'two' })).toEqual({ value: expected, missing: [] });
});

test('what is missing is told with its place, everywhere at once, and left as it is', () => {
  expect(interpolate({ sources: [{ url: '${X}' }], tags: { a: ['${Y}'] } }, {})).toEqual({
    value: { sources: [{ url: '${X}' }], tags: { a: ['${Y}'] } },
    missing: [
      { path: ['sources', 0, 'url'], name: 'X' },
      { path: ['tags', 'a', 0], name: 'Y' },
    ],
  });
});

test('what a variable holds is not read again', () => {
  expect(interpolate('${A}', { A: '${B}', B: 'secret' }).value).toBe('${B}');
});

test('what holds no dollar is left as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      fc.pre(!JSON.stringify(value).includes('$') && !JSON.stringify(value).includes('__proto__'));
      expect(JSON.stringify(interpolate(value, {}).value)).toBe(JSON.stringify(value));
    }),
  );
});
