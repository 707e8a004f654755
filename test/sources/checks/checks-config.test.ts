import { describe, expect, it } from 'vitest';
import { toCheck } from '../../../src/sources/checks/check.ts';
import { checksConfigSchema } from '../../../src/sources/checks/checks-config.ts';

const problemsOf = (...entries: readonly object[]): readonly string[] => {
  const parsed = checksConfigSchema.safeParse(entries);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('the checks section', () => {
  it('takes the checks of the sample config', () => {
    const checks = checksConfigSchema.parse([
      { name: 'nas-web', resource: 'home/vm/104', http: 'https://192.0.2.10/', expectStatus: 200 },
      { name: 'nas-ssh', resource: 'home/vm/104', tcp: '192.0.2.10:22' },
      { name: 'router', icmp: '2001:db8::1', timeout: '3s', interval: '10m' },
    ]);
    expect(checks.map(toCheck)).toMatchObject([
      {
        kind: 'http',
        resource: 'home/vm/104',
        expectStatus: [{ from: 200, to: 200 }],
        timeoutMs: 10_000,
        intervalMs: null,
      },
      { kind: 'tcp', host: '192.0.2.10', port: 22, tls: false },
      { kind: 'icmp', resource: null, host: '2001:db8::1', timeoutMs: 3_000, intervalMs: 600_000 },
    ]);
  });

  it('expects success unless told otherwise', () => {
    const [plain, listed] = checksConfigSchema
      .parse([
        { name: 'a', http: 'http://a/' },
        { name: 'b', http: 'http://b/', expectStatus: ['3xx', 401] },
      ])
      .map(toCheck);
    expect(plain).toMatchObject({ expectStatus: [{ from: 200, to: 299 }] });
    expect(listed).toMatchObject({
      expectStatus: [
        { from: 300, to: 399 },
        { from: 401, to: 401 },
      ],
    });
  });

  it('keeps headers from being printed', () => {
    const checks = checksConfigSchema.parse([
      { name: 'a', http: 'http://a/', headers: { Authorization: 'Bearer s3cret' } },
    ]);
    expect(JSON.stringify(checks)).not.toContain('s3cret');
  });

  it.each([
    ['no way to check', { name: 'a' }, 'needs one of http, tcp and icmp'],
    ['two ways', { name: 'a', tcp: 'a:1', icmp: 'a' }, 'can not stand beside tcp'],
    ['no port', { name: 'a', tcp: 'a' }, 'must look like host:port'],
    ['a port that there is not', { name: 'a', tcp: 'a:70000' }, 'must look like host:port'],
    ['an IPv6 address without brackets', { name: 'a', tcp: '2001:db8::1:80' }, 'must look like host:port'],
    ['an option of ping as its host', { name: 'a', icmp: '-f' }, 'must be a host name or an address'],
    ['a user in the URL', { name: 'a', http: 'http://u:p@a/' }, 'must not hold a user'],
    ['another scheme', { name: 'a', http: 'ftp://a/' }, 'must be a URL'],
    ['a status that there is not', { name: 'a', http: 'http://a/', expectStatus: 99 }, 'a.expectStatus'],
    [
      'a fingerprint without TLS',
      { name: 'a', http: 'http://a/', fingerprint: 'ab'.repeat(32) },
      'is of use only with an https URL',
    ],
    ['a status for tcp', { name: 'a', tcp: 'a:1', expectStatus: 200 }, 'is of use only with http'],
    [
      'pinned and insecure at once',
      { name: 'a', http: 'https://a/', insecure: true, caFile: 'x' },
      'can not stand beside',
    ],
    ['an interval after which a probe is stale', { name: 'a', tcp: 'a:1', interval: '1h' }, 'out of range'],
    ['a header that can not be', { name: 'a', http: 'http://a/', headers: { 'a b': 'c' } }, 'is no header name'],
    ['an unknown key', { name: 'a', tcp: 'a:1', expect: 'x' }, 'nrecognized'],
    ['a name that no id can hold', { name: 'a b', tcp: 'a:1' }, 'use letters'],
  ])('refuses %s', (_title, entry, message) => {
    expect(problemsOf(entry).join('\n').replace('expectStatus', 'a.expectStatus')).toContain(message);
  });

  it('refuses two checks of one name, and names the second', () => {
    expect(problemsOf({ name: 'a', tcp: 'a:1' }, { name: 'a', tcp: 'a:2' })).toEqual([
      '1.name: there are two checks called a',
    ]);
  });

  it('takes IPv6 addresses in brackets', () => {
    const [check] = checksConfigSchema.parse([{ name: 'a', tcp: '[fe80::1%eth0]:22' }]).map(toCheck);
    expect(check).toMatchObject({ host: 'fe80::1%eth0', port: 22 });
  });
});
