import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runReportSchema } from '../../src/patrol/report.ts';
import { packageRoot } from '../../src/runtime/package-root.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SLOW_MS = 60_000;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A configured directory of dated archives is a source whose answers a test can choose. */
const open = () => {
  const directory = temporaryDirectory();
  const archives = join(directory, 'archives');
  mkdirSync(archives);
  const config = join(directory, 'patrold.yaml');
  writeFileSync(config, `backups: [{ name: dumps, type: directory, path: ${archives}, every: 24h }]\n`, {
    mode: 0o600,
  });
  const data = join(directory, 'data');
  const patrold = (...args: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const argv = [join(packageRoot(), 'src', 'main.ts'), ...args, '--config', config, '--data', data];
      const env = { ...process.env, NO_COLOR: '1', COLUMNS: '120' };
      execFile(process.execPath, argv, { env, cwd: directory }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  return { directory, config, data, patrold };
};

describe('patrold', () => {
  test('runs, shows, decides about and explains what it found', { timeout: SLOW_MS }, async () => {
    const { patrold, data } = open();
    const run = await patrold('run', '--json', '--scope', 'source:this-host');
    expect(run.code).toBe(0);
    const report = runReportSchema.parse(JSON.parse(run.stdout));
    expect(report.run).toMatchObject({ kind: 'patrol', state: 'completed', trigger: 'manual' });
    expect(
      report.run.stages.filter(({ status }) => status === 'skipped').every(({ reason }) => reason === 'no provider'),
    ).toBe(true);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(join(data, 'patrold.db')).mode & 0o077).toBe(0);
    const resources = JSON.parse((await patrold('resources', '--json')).stdout) as {
      readonly resources: readonly { readonly id: string; readonly kind: string }[];
    };
    const host = resources.resources.find(({ kind }) => kind === 'host');
    expect(host).toBeDefined();
    const limits = JSON.parse((await patrold('thresholds', host?.id ?? '', '--json')).stdout) as {
      readonly thresholds: readonly { readonly metric: string; readonly warning: { readonly origin: string } | null }[];
    };
    expect(limits.thresholds.find(({ metric }) => metric === 'cpu')?.warning?.origin).toBe('default');
    expect((await patrold('runs')).stdout).toMatch(/patrol +manual/);
  });

  test('fails on what it is told to fail on, until somebody has seen it', { timeout: SLOW_MS }, async () => {
    const { patrold, config } = open();
    writeFileSync(config, 'alerts: { filesystem: { usage: { warning: 0.001, clear: 0 } } }\n', { mode: 0o600 });
    const first = await patrold('run', '--json', '--fail-on', 'warning');
    expect(first.code).toBe(1);
    const { findings } = runReportSchema.parse(JSON.parse(first.stdout));
    const full = findings.filter(({ key }) => key === 'high_disk');
    expect(full.length).toBeGreaterThan(0);
    expect(full[0]?.summary).toContain('%');
    const acknowledged = await patrold(
      'findings',
      'acknowledge',
      ...findings.map(({ id }) => id.slice(-8)),
      '--note',
      'known',
    );
    expect(acknowledged.code).toBe(0);
    expect((await patrold('run', '--quiet', '--fail-on', 'warning')).code).toBe(0);
    const shown = (await patrold('findings', 'show', full[0]?.id ?? '')).stdout;
    expect(shown).toContain('alerts.filesystem.usage.warning');
    expect(shown).toMatch(/acknowledged .* known/);
  });

  test.each([
    [['fidnings'], 2, 'Did you mean findings?'],
    [['run', '--fail-on', 'loud'], 2, 'info, watch, warning, critical'],
    [['run', '--scope', 'kind:disc'], 2, 'scope_invalid'],
    [['findings', 'show', 'zzzzzz'], 2, 'finding_not_found'],
    [['thresholds', 'nowhere'], 2, 'resource_not_found'],
    [['runs', 'show', 'zzzz'], 2, 'run_not_found'],
    [['token', 'create', 'me', '--scope', 'everything'], 2, 'scopes are'],
    [['findings', 'snooze', 'x', '--for', 'long'], 2, 'duration'],
  ])('%j ends with %i and says what would be right', { timeout: SLOW_MS }, async (args, code, message) => {
    const ended = await open().patrold(...args);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(message);
    expect(ended.stdout).toBe('');
  });

  test('lists every problem of a config with its line, and exits with 2', { timeout: SLOW_MS }, async () => {
    const { patrold, config } = open();
    writeFileSync(
      config,
      'patrol: { schedul: x }\nhttp: { listen: nowhere }\nalerts: { overrides: [{ match: { source: nas }, host: { cpu: off } }] }\n',
    );
    const ended = await patrold('check-config');
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/patrold.yaml:1:\d+ patrol.schedul: unknown key; did you mean "schedule"/);
    expect(ended.stderr).toMatch(/patrold.yaml:2:\d+ http.listen/);
  });

  test('writes a config that it accepts itself, and never over one that is there', { timeout: SLOW_MS }, async () => {
    const { patrold, directory } = open();
    const target = join(directory, 'new.yaml');
    expect((await patrold('init', target)).code).toBe(0);
    expect(readFileSync(target, 'utf8')).toContain('sources:');
    expect((await patrold('check-config', '--config', target)).code).toBe(0);
    expect((await patrold('init', target)).code).toBe(2);
  });

  test('makes tokens, shows them once, and takes them back; copies its database', { timeout: SLOW_MS }, async () => {
    const { patrold, directory } = open();
    const created = JSON.parse((await patrold('token', 'create', 'grafana', '--json')).stdout) as {
      readonly id: string;
      readonly secret: string;
    };
    expect((await patrold('token', 'list')).stdout).not.toContain(created.secret);
    expect((await patrold('token', 'revoke', created.id)).code).toBe(0);
    const copy = join(directory, 'copy.db');
    expect((await patrold('backup', copy)).code).toBe(0);
    expect(readFileSync(copy).subarray(0, 15).toString()).toBe('SQLite format 3');
    expect((await patrold('backup', copy)).code).toBe(2);
  });

  test('prints completion that the shell itself accepts', { timeout: SLOW_MS }, async () => {
    const { patrold, directory } = open();
    const script = join(directory, 'completion.bash');
    writeFileSync(script, (await patrold('completion', 'bash')).stdout);
    await expect(
      new Promise((resolve, reject) =>
        execFile('bash', ['-n', script], (error) => (error === null ? resolve('ok') : reject(error))),
      ),
    ).resolves.toBe('ok');
  });
});
