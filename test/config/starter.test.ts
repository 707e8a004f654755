import { describe, expect, test } from 'vitest';
import { detectors } from '../../signals/detectors/index.ts';
import { checkConfig } from '../../src/composition/config-checks.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createConfigSchema } from '../../src/config/schema.ts';
import { type FoundOnMachine, starterConfig } from '../../src/config/starter.ts';
import { sectionDefinitions, sourceDefinitions } from '../../src/sources/index.ts';

const [checks, backups] = sectionDefinitions;
const schema = createConfigSchema({
  sources: sourceDefinitions,
  checks: checks.configSchema,
  backups: backups.configSchema,
  detectors,
});

const load = (text: string) =>
  loadConfig({
    file: { path: '/etc/patrold/patrold.yaml', text, readableByOthers: false },
    env: {},
    flags: [],
    schema,
    check: checkConfig,
  });

const bare: FoundOnMachine = {
  timeZone: 'Europe/Vienna',
  dockerSocket: null,
  dockerUsable: false,
  prometheusUrl: null,
};

/** Comments that hold settings lose their mark; those that are sentences stay. */
const uncommented = (text: string): string => text.replaceAll(/^(\s*)# ?(?=\s*- \{|\s{2,}\w+:( |$)|\w+:$)/gm, '$1');

describe.each<[string, FoundOnMachine, readonly string[]]>([
  ['nothing', bare, ['this-host']],
  [
    'an engine and a Prometheus',
    { ...bare, dockerSocket: '/run/podman/podman.sock', dockerUsable: true, prometheusUrl: 'http://127.0.0.1:9090' },
    ['this-host', 'docker', 'metrics'],
  ],
  ['an engine that this user may not use', { ...bare, dockerSocket: '/var/run/docker.sock' }, ['this-host']],
])('the config for a machine with %s', (_what, found, sources) => {
  test('is valid and reads what was found', () => {
    const result = load(starterConfig(found));
    expect(result.kind === 'refused' ? result.problems : []).toEqual([]);
    expect(result.kind === 'loaded' && result.config.sources.map(({ id }) => id)).toEqual(sources);
  });

  test('is valid too when everything in it is uncommented', () => {
    const text = uncommented(starterConfig(found));
    expect(text).not.toMatch(/^# (checks|backups|alerts|accept):/m);
    const result = load(text);
    expect(result.kind === 'refused' ? result.problems : []).toEqual([]);
    if (result.kind !== 'loaded') return;
    expect(result.config.sources.map(({ id }) => id)).toEqual(['this-host', 'docker', 'metrics', 'home']);
    expect(result.config.alerts.overrides).toHaveLength(1);
    expect(result.config.accept).toHaveLength(1);
    expect(result.config.checks).toHaveLength(3);
    expect(result.config.backups).toHaveLength(2);
  });
});
