import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CommandRequest, type CommandRunner, createCommandRunner } from '../../../src/runtime/command.ts';
import { backupsConfigSchema, type ResticConfig } from '../../../src/sources/backups/backups-config.ts';
import { readRestic } from '../../../src/sources/backups/restic.ts';
import { works } from '../../support/real-program.ts';
import { startRawServer } from '../../support/scripted-server.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const configOf = (settings: object): ResticConfig => {
  const [config] = backupsConfigSchema.parse([{ name: 'it', type: 'restic', ...settings }]);
  if (config?.type !== 'restic') throw new Error('no restic entry');
  return config;
};

const real = createCommandRunner();
const read = (settings: object, commands: CommandRunner = real, nowMs = Date.now()) =>
  readRestic(configOf(settings), commands, nowMs, AbortSignal.timeout(60_000));

describe.skipIf(!works('restic', 'version'))('readRestic with the real restic (needs restic)', () => {
  let directory = '';
  let repository = '';
  const restic = (...args: readonly string[]): void => {
    execFileSync('restic', ['-r', repository, '--no-cache', '-q', ...args], {
      env: { ...process.env, RESTIC_PASSWORD: 'right', RESTIC_CACHE_DIR: join(directory, 'cache') },
      stdio: 'pipe',
      timeout: 60_000,
    });
  };
  const backup = (...args: readonly string[]): void => restic('backup', join(directory, 'data'), ...args);

  beforeEach(() => {
    directory = temporaryDirectory();
    repository = join(directory, 'repository');
    mkdirSync(join(directory, 'data'));
    writeFileSync(join(directory, 'data/file'), 'content');
    writeFileSync(join(directory, 'password'), 'right\n');
    restic('init');
  });

  const mine = (more: object = {}): object => ({ repository, passwordFile: join(directory, 'password'), ...more });

  it('tells that a repository is truly empty', async () => {
    expect(await read(mine())).toEqual({ kind: 'read', count: 0, newestGoodAtMs: null, growing: false, broken: null });
  });

  it('tells when the newest snapshot was begun', async () => {
    const beforeMs = Date.now();
    backup('--time', '2026-01-01 10:00:00');
    backup();
    const result = await read(mine());
    expect(result).toMatchObject({ kind: 'read', count: 2 });
    const newestMs = result.kind === 'read' ? (result.newestGoodAtMs ?? 0) : 0;
    expect(newestMs).toBeGreaterThanOrEqual(beforeMs - 1_000);
    expect(newestMs).toBeLessThanOrEqual(Date.now());
  });

  it('looks only at the snapshots of the host, tags and paths that are asked for', async () => {
    backup('--host', 'laptop', '--tag', 'a', '--tag', 'b');
    backup('--host', 'nas');
    const countOf = async (more: object): Promise<number> => {
      const result = await read(mine(more));
      return result.kind === 'read' ? result.count : -1;
    };
    expect(await countOf({ host: 'laptop' })).toBe(1);
    expect(await countOf({ tags: ['a', 'b'] })).toBe(1);
    expect(await countOf({ tags: ['a', 'c'] })).toBe(0);
    expect(await countOf({ paths: [join(directory, 'data')] })).toBe(2);
    expect(await countOf({ paths: ['/elsewhere'] })).toBe(0);
  });

  it('reads a repository that others have locked, and leaves no lock and nothing else behind', async () => {
    backup();
    cpSync(repository, join(directory, 'before'), { recursive: true });
    writeFileSync(join(repository, 'locks', 'f'.repeat(64)), 'held by somebody');
    expect(await read(mine())).toMatchObject({ kind: 'read', count: 1 });
    rmSync(join(repository, 'locks', 'f'.repeat(64)));
    expect(works('diff', '-r', repository, join(directory, 'before'))).toBe(true);
  });

  it('never says "no backups" when it can not look', async () => {
    backup();
    const trouble = async (settings: object): Promise<string> => {
      const result = await read(settings);
      return result.kind === 'unread' ? `${result.code}: ${result.reason}` : 'read';
    };
    expect(await trouble({ repository, password: 'wrong' })).toMatch(
      /^not_permitted: .*check passwordFile.*wrong password/,
    );
    expect(await trouble({ repository })).toMatch(/^not_permitted: .*check passwordFile/);
    expect(await trouble(mine({ passwordFile: '/nonexistent/password' }))).toMatch(
      /^failed: passwordFile \/nonexistent\/password can't be read \(ENOENT\)/,
    );
    expect(await trouble(mine({ repository: join(directory, 'nowhere') }))).toMatch(
      /^unreachable: there is no restic repository/,
    );
    rmSync(join(repository, 'config'));
    expect(await trouble(mine())).toMatch(/^unreachable: there is no restic repository/);
  });

  it('does not call the newest of the readable snapshots the newest where one is damaged', async () => {
    backup();
    const [id = ''] = readdirSync(join(repository, 'snapshots'));
    chmodSync(join(repository, 'snapshots', id), 0o600);
    writeFileSync(join(repository, 'snapshots', id), 'garbage');
    expect(await read(mine())).toMatchObject({
      kind: 'unread',
      code: 'malformed',
      reason: expect.stringContaining('restic check'),
    });
  });

  it('says that a repository is damaged', async () => {
    chmodSync(join(repository, 'config'), 0o600);
    writeFileSync(join(repository, 'config'), 'x');
    expect(await read(mine())).toMatchObject({ kind: 'unread', code: 'malformed' });
  });

  it('says that a repository on the network is not reachable, without its password', async () => {
    const server = await startRawServer(() => undefined);
    await server.close();
    const result = await read(
      mine({ repository: `rest:${server.url.replace('//', '//bob:s3cret@')}/`, timeout: '30s' }),
    );
    expect(result).toMatchObject({ kind: 'unread', code: expect.stringMatching(/unreachable|timed_out/) });
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });

  it('believes no snapshot of the future', async () => {
    backup('--time', '2199-01-01 10:00:00');
    expect(await read(mine())).toMatchObject({ kind: 'unread', code: 'future' });
    backup();
    expect(await read(mine())).toMatchObject({ kind: 'read', count: 2, newestGoodAtMs: expect.any(Number) });
  });
});

describe('readRestic', () => {
  const settings = {
    repository: 'rest:https://u:p4ss@host/',
    password: 's3cret',
    environment: { AWS_ACCESS_KEY_ID: 'key' },
  };

  it('puts address, password and keys into the environment, never into argv', async () => {
    const asked: CommandRequest[] = [];
    const commands: CommandRunner = {
      run: async (request) => {
        asked.push(request);
        return { kind: 'exited', code: 0, stdout: '[]', stderr: '' };
      },
    };
    await read(settings, commands);
    expect(asked[0]?.args).toEqual(['snapshots', '--json', '--no-lock', '--no-cache']);
    expect(asked[0]?.env).toEqual({
      AWS_ACCESS_KEY_ID: 'key',
      RESTIC_REPOSITORY: settings.repository,
      RESTIC_PASSWORD: 's3cret',
    });
  });

  it.each([
    [{ kind: 'not_found' }, 'not_installed'],
    [{ kind: 'timed_out', timeoutMs: 60_000, stderr: '' }, 'timed_out'],
    [{ kind: 'too_large', maxOutputBytes: 1 }, 'cut_short'],
    [{ kind: 'signalled', signal: 'SIGKILL', stderr: '' }, 'failed'],
    [{ kind: 'exited', code: 0, stdout: 'no JSON', stderr: '' }, 'malformed'],
    [{ kind: 'exited', code: 0, stdout: '{}', stderr: '' }, 'malformed'],
    [{ kind: 'exited', code: 0, stdout: '[{"time":"yesterday"}]', stderr: '' }, 'malformed'],
    [
      {
        kind: 'exited',
        code: 12,
        stdout: '',
        stderr: '{"message_type":"exit_error","code":12,"message":"Fatal: wrong password or no key found"}',
      },
      'not_permitted',
    ],
    [
      { kind: 'exited', code: 10, stdout: '', stderr: 'Fatal: repository does not exist: unable to open config file' },
      'unreachable',
    ],
    [
      {
        kind: 'exited',
        code: 1,
        stdout: '',
        stderr: 'Fatal: unable to open repository at /r: ReadDir: open /r/keys: permission denied',
      },
      'not_permitted',
    ],
    [{ kind: 'exited', code: 1, stdout: '', stderr: 'something new' }, 'failed'],
  ] as const)('takes %j for %s', async (result, code) => {
    expect(await read(settings, { run: async () => result })).toMatchObject({ kind: 'unread', code });
  });

  it('takes null, as old versions print it, for an empty list', async () => {
    const commands: CommandRunner = { run: async () => ({ kind: 'exited', code: 0, stdout: 'null\n', stderr: '' }) };
    expect(await read(settings, commands)).toMatchObject({ kind: 'read', count: 0 });
  });
});
