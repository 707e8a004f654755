import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slugOf } from '../../../signals/identity/slug.ts';

test.each([
  ['/', 'root'],
  ['/srv/media', 'srv-media'],
  ['NAS 1', 'nas-1'],
  ['Über-Größe', 'uber-gro-e'],
  ['nginx.service', 'nginx.service'],
  ['C:', 'c'],
  ['.hidden', 'hidden'],
  ['a//b', 'a-b'],
  ['日本', 'fallback'],
  ['../../etc/passwd', 'etc-passwd'],
  ['', 'fallback'],
])('%j becomes %s', (name, slug) => {
  expect(slugOf(name, 'fallback')).toBe(slug);
});

test('whatever a thing is called, its slug is short and safe', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      expect(slugOf(name, 'x')).toMatch(/^[a-z0-9_][a-z0-9._-]{0,63}$/);
    }),
  );
});
