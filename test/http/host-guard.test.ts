import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isHostAllowed } from '../../src/http/host-guard.ts';

test.each([
  'localhost',
  'LocalHost:7790',
  '127.0.0.1',
  '127.0.0.1:7790',
  '[::1]',
  '[::1]:7790',
  '192.0.2.7:80',
  'nas1:7790',
  '',
  undefined,
])('Host: %s is let through', (header) => {
  expect(isHostAllowed(header, 'nas1')).toBe(true);
});

test.each([
  'evil.example',
  'evil.example:7790',
  'localhost.evil.example',
  'evil.localhost.example',
  '127.0.0.1.evil.example',
  'localhost:7790@evil.example',
  'localhost:port',
  'localhost:',
  'localhost, evil.example',
  'local host',
  '[::1',
  '::1',
  '[evil.example]',
  '2130706433',
  '0x7f000001',
  ':7790',
  '@',
])('Host: %s is not', (header) => {
  expect(isHostAllowed(header, 'nas1')).toBe(false);
});

test('a name on which nobody listens is never let through', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.string()), (name) => {
      fc.pre(
        name !== '' &&
          name.toLowerCase() !== 'localhost' &&
          isIP(name.replace(/:\d+$/, '')) === 0 &&
          !/^\[|^localhost:\d+$/i.test(name),
      );
      expect(isHostAllowed(name, '127.0.0.1')).toBe(false);
    }),
  );
});
