import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAddress, isLoopbackAddress, parseListen } from '../../src/http/listen-address.ts';

test.each([
  ['127.0.0.1:7790', { host: '127.0.0.1', port: 7790 }],
  ['[::1]:7790', { host: '::1', port: 7790 }],
  ['[fe80::1%eth0]:80', { host: 'fe80::1%eth0', port: 80 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ['0.0.0.0:65535', { host: '0.0.0.0', port: 65_535 }],
])('%s is an address to listen on', (text, address) => {
  expect(parseListen(text)).toEqual(address);
});

test.each([
  '',
  '127.0.0.1',
  ':7790',
  '127.0.0.1:',
  '::1:7790',
  '[::1]',
  '[nonsense]:1',
  'a:65536',
  'a:99999',
  'a:-1',
  'a:1:2',
  'a b:x',
])('"%s" is none, and the error says how to write one', (text) => {
  expect(() => parseListen(text)).toThrow(expect.objectContaining({ code: 'http_listen_invalid' }));
});

test('what is written can be read again', () => {
  const port = fc.integer({ min: 0, max: 65_535 });
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain()), port, (host, number) => {
      expect(parseListen(formatAddress({ host, port: number }))).toEqual({ host, port: number });
    }),
  );
});

test.each([
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['::1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:7f00:1', true],
  ['::ffff:192.0.2.1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['128.0.0.1', false],
  ['192.0.2.127', false],
  ['fe80::1', false],
  ['localhost', false],
  ['127.evil.example', false],
  ['', false],
])('%s is loopback: %s', (address, is) => {
  expect(isLoopbackAddress(address)).toBe(is);
});
