/** The Dockerfile and the compose file: as written, and as they run in a real engine. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runReportSchema } from '../../src/patrol/report.ts';
import { inPath } from '../support/docker-daemon.ts';
import { copiesOf, type Stage } from '../support/dockerfile.ts';
import { importLocalImage, readStages } from '../support/local-image.ts';
import { type RealDocker, startRealDocker, whyNoRealDocker } from '../support/real-docker.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..');
const stages = readStages();
const last = stages.at(-1) as Stage;
const setting = (name: string): string => last.instructions.findLast((each) => each.name === name)?.rest ?? '';

interface Service {
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly tmpfs: readonly string[];
  readonly read_only: boolean;
  readonly init: boolean;
  readonly mem_limit: string;
  readonly pids_limit: number;
}

const compose = parse(readFileSync(join(CHECKOUT, 'docker-compose.yml'), 'utf8')) as {
  readonly services: Readonly<Record<string, Service>>;
};
const service = compose.services['patrold'] as Service;

describe('as written', () => {
  test('everything that is copied from the checkout is there, and let through by .dockerignore', () => {
    const passed = readFileSync(join(CHECKOUT, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = stages.flatMap(copiesOf).flatMap(({ from, sources }) => (from === null ? sources : []));
    for (const path of copied) {
      expect([path, existsSync(join(CHECKOUT, path))]).toEqual([path, true]);
      const isPassed = passed.some(
        (each) => path === each || path.startsWith(`${each}/`) || each.startsWith(`${path}/`),
      );
      expect([path, isPassed]).toEqual([path, true]);
    }
  });

  test('what is copied from another stage names one that there is', () => {
    const aliases = stages.map(({ alias }) => alias);
    for (const { from } of stages.flatMap(copiesOf)) expect([null, ...aliases]).toContain(from);
  });

  test('bases name a version, and what is installed brings no recommendations and leaves no lists', () => {
    for (const { base, instructions } of stages) {
      expect(base).toMatch(/^[\w./-]+:(?!latest)[\w.-]+$/);
      for (const { rest } of instructions.filter(
        ({ name, rest }) => name === 'RUN' && rest.includes('apt-get install'),
      )) {
        expect(rest).toContain('--no-install-recommends');
        expect(rest).toContain('rm -rf /var/lib/apt/lists/*');
      }
    }
  });

  test('it runs as a user by number, without a shell, and asks for its health without curl', () => {
    expect(setting('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(JSON.parse(setting('ENTRYPOINT'))).toContain('/opt/patrold/dist/src/main.js');
    expect(JSON.parse(setting('CMD'))).toEqual(['serve']);
    expect(setting('HEALTHCHECK')).toContain('/healthz');
    expect(setting('HEALTHCHECK')).not.toMatch(/curl|wget/);
  });

  test('it starts Node as the service does', () => {
    const unit = readFileSync(join(CHECKOUT, 'deploy/patrold.service'), 'utf8');
    const [, command = ''] = /^ExecStart=\/usr\/bin\/env (.*\/main\.js)/m.exec(unit) ?? [];
    expect(JSON.parse(setting('ENTRYPOINT'))).toEqual(command.split(' '));
    const environment = last.instructions.filter(({ name }) => name === 'ENV').map(({ rest }) => rest);
    for (const [, assignment = ''] of unit.matchAll(/^Environment=((?!PATH=).*)$/gm))
      expect(environment.join(' ').split(' ')).toContain(assignment);
  });

  test('the compose file takes every privilege away, and publishes to this machine alone', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      init: true,
    });
    for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(JSON.stringify(service)).not.toMatch(/privileged|docker\.sock/);
  });
});

const skip = whyNoRealDocker() ?? (inPath('docker') === null ? 'the docker command is not installed' : null);

/** The engine copies the whole image for each container. */
const PATIENT = { timeout: 120_000 };

describe.skipIf(skip !== null)(`in a real engine${skip === null ? '' : ` (skipped: ${skip})`}`, PATIENT, () => {
  let docker: RealDocker;
  let work = '';
  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'patrold-image-'));
    docker = await startRealDocker();
    importLocalImage(docker.socketPath, 'patrold', work);
  }, 300_000);
  afterAll(async () => {
    await docker?.close();
    if (work !== '') rmSync(work, { recursive: true, force: true });
  }, 60_000);

  const cli = (...args: readonly string[]) =>
    spawnSync(inPath('docker') ?? 'docker', ['-H', `unix://${docker.socketPath}`, ...args], {
      encoding: 'utf8',
      timeout: 60_000,
    });

  /** Where the root is not shared (no systemd here) mounts that come later can't be followed. */
  const isShared = /^\d+ \d+ \S+ \S+ \/ .* shared:/m.test(readFileSync('/proc/self/mountinfo', 'utf8'));

  /** As `docker compose up` would run it, without a network. `--init` is left out where the engine has none. */
  const flags = (): readonly string[] => [
    ...['--network', 'none', '--memory', service.mem_limit, '--pids-limit', String(service.pids_limit), '--read-only'],
    ...service.cap_drop.flatMap((name) => ['--cap-drop', name]),
    ...service.security_opt.flatMap((option) => ['--security-opt', option]),
    ...service.tmpfs.flatMap((path) => ['--tmpfs', path]),
    ...service.volumes
      .filter((volume) => volume.startsWith('data:') || existsSync(volume.split(':')[0] ?? ''))
      .flatMap((volume) => ['--volume', isShared ? volume : volume.replace(',rslave', '')]),
  ];

  test('a run in the container sees the machine around it, and nothing of its own', () => {
    const { stdout, stderr, status } = cli('run', '--rm', ...flags(), 'patrold', 'run', '--json');
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const report = runReportSchema.parse(JSON.parse(stdout));
    expect(report.run.state).toBe('completed');
    expect(report.run.coverage?.sources).toMatchObject([
      { sourceId: 'this-host', outcome: expect.stringMatching(/ok|partial/) },
    ]);
    const known = cli('run', '--rm', ...flags(), 'patrold', 'resources', '--json').stdout;
    const { resources } = JSON.parse(known) as { readonly resources: readonly { kind: string; name: string }[] };
    const names = (kind: string) => resources.filter((each) => each.kind === kind).map(({ name }) => name);
    expect(names('host')).toEqual([readFileSync('/etc/hostname', 'utf8').trim()]);
    expect(names('filesystem')).toContain('/');
    expect(report.verdicts.unobserved.filter(({ detector }) => detector === 'high_disk')).toEqual([]);
  });

  test('the daemon becomes healthy, as its own user, keeps its state in the volume, and stops when told to', async () => {
    const started = cli(
      'run',
      '-d',
      '--name',
      'patrold',
      '--health-interval',
      '1s',
      '--health-start-period',
      '1s',
      ...flags(),
      'patrold',
    );
    expect(started.status).toBe(0);
    const { State } = await docker.waitFor('patrold', (seen) => seen.State.Health?.Status === 'healthy', 40_000);
    expect(State.Status).toBe('running');
    expect(cli('exec', 'patrold', 'id', '-u').stdout.trim()).toBe('10001');
    expect(cli('exec', 'patrold', 'stat', '-c', '%a %u %n', '/var/lib/patrold', '/var/lib/patrold/token').stdout).toBe(
      '700 10001 /var/lib/patrold\n600 10001 /var/lib/patrold/token\n',
    );
    expect(cli('exec', 'patrold', 'touch', '/host/tmp/patrold-was-here').status).not.toBe(0);
    expect(existsSync('/tmp/patrold-was-here')).toBe(false);
    expect(cli('stop', '--time', '30', 'patrold').status).toBe(0);
    const stopped = await docker.inspect('patrold');
    expect(stopped.State.ExitCode).toBe(0);
    expect(cli('logs', 'patrold').stderr).toContain('patrold has stopped');
  });
});
