import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { detectors } from '../../signals/detectors/index.ts';
import { type LoadResult, loadConfig } from '../../src/config/load.ts';
import { formatProblem } from '../../src/config/problem.ts';
import { createConfigSchema } from '../../src/config/schema.ts';

const source = (type: string, configSchema: z.ZodType) => ({
  type,
  configSchema,
  reads: [],
  defaultTimeoutMs: 1000,
  create: () => {
    throw new Error('not created in this test');
  },
});

const schema = createConfigSchema({
  sources: [
    source('host', z.strictObject({ root: z.string().default('/') })),
    source('prometheus', z.strictObject({ url: z.url() })),
  ],
  checks: z.array(z.strictObject({ name: z.string() })),
  backups: z.array(z.strictObject({ name: z.string() })),
  detectors,
});

const load = (
  text: string,
  env: Record<string, string> = {},
  flags: Parameters<typeof loadConfig>[0]['flags'] = [],
): LoadResult =>
  loadConfig({ file: { path: 'patrold.yaml', text, readableByOthers: false }, env, flags, schema, check: () => [] });

const loaded = (result: LoadResult) => {
  if (result.kind !== 'loaded')
    throw new Error(result.problems.map((problem) => formatProblem(problem, 'x')).join('\n'));
  return result.config;
};

const complaints = (result: LoadResult): string[] =>
  result.kind === 'loaded' ? [] : result.problems.map((problem) => formatProblem(problem, 'patrold.yaml'));

describe('a config that is right', () => {
  test('an empty file watches this machine with every default', () => {
    const config = loaded(load(''));
    expect(config.sources).toEqual([{ id: 'this-host', type: 'host', root: '/' }]);
    expect(config.patrol).toMatchObject({ schedule: '0 */6 * * *', watch: 300_000, quiet: 'look' });
    expect(config.http.listen).toBe('127.0.0.1:7790');
    expect(config.alerts).toEqual({ kinds: {}, overrides: [] });
  });

  test('alert settings keep the path on which each was written', () => {
    const config = loaded(
      load(
        [
          'alerts:',
          '  guest: { cpu: { warning: 80, for: 30m } }',
          '  host: { cpu: off }',
          '  overrides:',
          '    - { match: { tag: media }, guest: { cpu: { warning: 96 } } }',
        ].join('\n'),
      ),
    );
    expect(config.alerts.kinds).toEqual({
      guest: { cpu: { warning: 80, forMs: 1_800_000, path: 'alerts.guest.cpu' } },
      host: { cpu: { off: true, path: 'alerts.host.cpu' } },
    });
    expect(config.alerts.overrides).toEqual([
      { match: { tag: 'media' }, settings: { guest: { cpu: { warning: 96, path: 'alerts.overrides[0].guest.cpu' } } } },
    ]);
  });

  test('the environment lies over the file and a flag over both', () => {
    const text = 'http: { listen: "127.0.0.1:1" }\nlog: { level: error }';
    const env = { PATROLD_HTTP_LISTEN: '127.0.0.1:2', PATROLD_LOG_LEVEL: 'warn' };
    const config = loaded(load(text, env, [{ path: 'http.listen', value: '127.0.0.1:3', origin: '--listen' }]));
    expect(config.http.listen).toBe('127.0.0.1:3');
    expect(config.log.level).toBe('warn');
  });

  test('references to the environment are filled in, with defaults, and $$ is a dollar', () => {
    const config = loaded(
      load('tags: { "${HOST:-nas}": ["$${x}", "${TAG}"] }'.replace('"${HOST:-nas}"', 'nas'), { TAG: 'media' }),
    );
    expect(config.tags).toEqual({ nas: ['${x}', 'media'] });
  });
});

describe('a config that is wrong', () => {
  test('every problem is told at once, with its line and what would be right', () => {
    const text = [
      'patrol:',
      '  schedul: "0 4 * * *"',
      '  watch: soon',
      'sources:',
      '  - { id: Metrics!, type: prometheus, url: nonsense }',
      '  - { id: box, type: hots }',
      'alerts:',
      '  host:',
      '    cpuu: { warning: 80 }',
      '    cpu: { warning: 90, critical: 80 }',
    ].join('\n');
    expect(complaints(load(text))).toEqual([
      expect.stringMatching(/^patrold.yaml:2:3 patrol.schedul: unknown key; did you mean "schedule"\?/),
      expect.stringMatching(/^patrold.yaml:3:3 patrol.watch: .*soon/),
      expect.stringMatching(/^patrold.yaml:5:\d+ sources\[0\].id: use lower-case/),
      expect.stringMatching(/^patrold.yaml:5:\d+ sources\[0\].url: Invalid URL/),
      expect.stringMatching(/^patrold.yaml:6:\d+ sources\[1\].type: the types are host, prometheus/),
      expect.stringMatching(/^patrold.yaml:9:5 alerts.host.cpuu: unknown key; did you mean "cpu"\?/),
      expect.stringMatching(/^patrold.yaml:10:5 alerts.host.cpu: critical 80 comes before warning 90/),
    ]);
  });

  test.each([
    ['a: [1', /patrold.yaml:1:\d+ not valid YAML/],
    ['http: {}\nhttp: {}', /patrold.yaml:2:1 not valid YAML: Map keys must be unique/],
    ['- 1\n- 2', /expected settings by name/],
    ['just text', /expected settings by name/],
    ['log: { level: ${LEVEL} }'.replace('${LEVEL}', '"${LEVEL}"'), /log.level: environment variable LEVEL is not set/],
    ['model: { provider: openai }', /model.name: is missing/],
    [`a: ${'&a [x,x,x,x,x,x,x,x,x]'}\nb: &b [*a,*a]\n`, /unknown key/],
  ])('%j is refused with a reason', (text, expected) => {
    expect(complaints(load(text)).join('\n')).toMatch(expected);
  });

  test('a value from the environment is blamed on the variable, not on a line', () => {
    const [complaint] = complaints(load('', { PATROLD_LOG_LEVEL: 'loud' }));
    expect(complaint).toContain('log.level (from PATROLD_LOG_LEVEL)');
  });

  test('an unknown PATROLD_ variable is a slip that is told', () => {
    expect(complaints(load('', { PATROLD_HTTP_LISTENN: 'x' }))).toEqual([
      'patrold.yaml environment variable PATROLD_HTTP_LISTENN is not known; did you mean PATROLD_HTTP_LISTEN?',
    ]);
  });

  test('a secret in the file never comes back in a message', () => {
    const text = 'sources: [{ id: a, type: prometheus, url: "hunter2-not-a-url", passwrd: hunter2 }]';
    expect(complaints(load(text)).join('\n')).not.toContain('hunter2');
  });
});
