/** This very machine. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Survey } from '../../../signals/survey.ts';
import { hostConfigSchema } from '../../../src/sources/host/config.ts';
import { hostSource } from '../../../src/sources/host/host.ts';
import { unaccounted } from '../../support/accounted.ts';
import { works } from '../../support/real-program.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

interface Surveyed {
  readonly probe: string;
  readonly first: Survey;
  readonly second: Survey;
}

const SCRIPT = fileURLToPath(new URL('../../support/survey-host-script.ts', import.meta.url));
const NODE = process.execPath;

const run = (config: Readonly<Record<string, unknown>>, ...prefix: readonly string[]): Surveyed => {
  const [file = NODE, ...args] = [...prefix, NODE, SCRIPT, JSON.stringify(config)];
  return JSON.parse(execFileSync(file, args, { encoding: 'utf8', timeout: 60_000 }));
};

/** A second of looking at the CPU, and some room for a machine that is busy with tests. */
const LONGEST_MS = 3_000;

const isGood = ({ first, second }: Surveyed): void => {
  for (const survey of [first, second]) {
    expect(unaccounted(survey)).toEqual([]);
    expect(survey.outcome).not.toBe('failed');
    expect(survey.durationMs).toBeLessThan(LONGEST_MS);
    expect(survey.readings.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['cpu', 'memory', 'filesystem']));
  }
};

test('it is surveyed, quickly, and everything is accounted for', { timeout: 60_000 }, () => {
  const surveyed = run({});
  isGood(surveyed);
  expect(surveyed.probe).toContain(hostname());
  const id = readFileSync('/etc/machine-id', 'utf8').trim();
  expect(surveyed.first.claims[0]?.keys[0]?.key).toBe(`machine-id:${id}`);
});

const isRoot = process.geteuid?.() === 0;
const canBeNobody = isRoot && works('setpriv', '--reuid', '65534', 'true');

test.skipIf(!canBeNobody)(
  'so it is by somebody without any rights (needs root and setpriv)',
  { timeout: 60_000 },
  () => {
    const surveyed = run({}, 'setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--no-new-privs');
    isGood(surveyed);
    for (const gap of surveyed.first.gaps) expect(gap.reason).not.toBe('');
  },
);

const canMount = isRoot && works('unshare', '--mount', 'true');

test.skipIf(!canMount)('so it is below another root (needs root and unshare)', { timeout: 60_000 }, () => {
  const root = join(temporaryDirectory(), 'host');
  mkdirSync(root);
  const mount = `mount --rbind / ${root} && mount --make-rslave ${root} && exec "$@"`;
  const surveyed = run({ root }, 'unshare', '--mount', 'sh', '-c', mount, 'sh');
  isGood(surveyed);
  expect(surveyed.probe).toContain(`below ${root}`);
  expect(surveyed.first.claims.map(({ ref }) => ref)).toContain('filesystem:/');
});

describe('its options', () => {
  test('have defaults', () => {
    expect(hostConfigSchema.parse({})).toEqual({
      root: '/',
      commandTimeout: 20_000,
      ignoreFilesystems: [],
      ignoreDisks: [],
      raidDisks: [],
    });
  });

  test.each([
    { root: 'host' },
    { root: '/host/' },
    { commandTimeout: '0s' },
    { ignoreFilesystems: [''] },
    { raidDisks: [{ device: '/etc/passwd', type: '3ware,1' }] },
    { raidDisks: [{ device: '/dev/twa0', type: '3ware,1 -s on' }] },
    { unknown: true },
  ])('%j is refused', (options) => {
    expect(hostConfigSchema.safeParse(options).success).toBe(false);
  });

  test('are those of the definition, which reads only kinds of readings that there are', () => {
    expect(hostSource.configSchema).toBe(hostConfigSchema);
    expect(new Set(hostSource.reads).size).toBe(hostSource.reads.length);
  });
});
