import { describe, expect, it } from 'vitest';
import { prometheusConfigSchema } from '../../../src/sources/prometheus/prometheus-config.ts';

const problems = (config: Readonly<Record<string, unknown>>): readonly string[] =>
  prometheusConfigSchema
    .safeParse({ url: 'https://prometheus:9090/prom', ...config })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

it('needs nothing but a URL', () => {
  expect(prometheusConfigSchema.parse({ url: 'http://127.0.0.1:9090' })).toEqual({
    url: 'http://127.0.0.1:9090',
    headers: {},
    match: [],
    staleAfter: 300_000,
    ignoreFilesystems: [],
  });
});

it('keeps secrets from being printed', () => {
  const config = prometheusConfigSchema.parse({
    url: 'http://a',
    username: 'me',
    password: 'hunter2',
    headers: { 'X-Scope-OrgID': 'a' },
  });
  expect(JSON.stringify(config)).not.toContain('hunter2');
  expect(config.password?.reveal()).toBe('hunter2');
});

describe('what can not be meant is said, with its place', () => {
  it.each([
    [{ url: 'prometheus:9090' }, /^url: /],
    [{ url: 'ftp://a' }, /^url: /],
    [{ url: 'http://me:secret@a' }, /^url: must not hold a user/],
    [{ username: 'me' }, /^username: needs passwordFile/],
    [{ password: 'x' }, /^username: is missing/],
    [{ username: 'me', password: 'x', passwordFile: 'y' }, /^passwordFile: can not stand beside/],
    [{ token: 'x', tokenFile: 'y' }, /^tokenFile: can not stand beside/],
    [{ token: 'x', username: 'me', password: 'y' }, /^token: can not stand beside/],
    [{ certFile: 'x' }, /^keyFile: certFile and keyFile go together/],
    [{ fingerprint: 'AB:CD' }, /^fingerprint: must be a SHA-256/],
    [{ url: 'http://a', caFile: 'x' }, /^caFile: is of use only with an https URL/],
    [{ match: ['site=home'] }, /^match\.0: must look like/],
    [{ match: ['a="b"} or vector(1) or up{c="d"'] }, /^match\.0: must look like/],
    [{ headers: { 'bad header': 'x' } }, /^headers/],
    [{ staleAfter: '1s' }, /^staleAfter: /],
    [{ unknown: 1 }, /Unrecognized key/],
  ])('%j', (config, problem) => {
    expect(problems(config)).toEqual([expect.stringMatching(problem)]);
  });

  it('does not repeat a password that stands in the URL', () => {
    expect(problems({ url: 'http://me:hunter2@a' }).join()).not.toContain('hunter2');
  });
});

it.each(['site="home"', 'env=~"prod|lab"', 'a!="b"', 'a!~"b\\"c"'])('takes the matcher %s', (matcher) => {
  expect(problems({ match: [matcher] })).toEqual([]);
});
