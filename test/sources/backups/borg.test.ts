import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CommandRequest, type CommandRunner, createCommandRunner } from '../../../src/runtime/command.ts';
import { type BorgConfig, backupsConfigSchema } from '../../../src/sources/backups/backups-config.ts';
import { readBorg } from '../../../src/sources/backups/borg.ts';
import { works } from '../../support/real-program.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const configOf = (settings: object): BorgConfig => {
  const [config] = backupsConfigSchema.parse([{ name: 'it', type: 'borg', ...settings }]);
  if (config?.type !== 'borg') throw new Error('no borg entry');
  return config;
};

const real = createCommandRunner();
const read = (settings: object, commands: CommandRunner = real) =>
  readBorg(configOf(settings), commands, Date.now(), AbortSignal.timeout(60_000));

const hasBorg = works('borg', '--version');

describe.skipIf(!hasBorg)('readBorg with the real Borg (needs borgbackup)', { timeout: 60_000 }, () => {
  let directory = '';
  let repository = '';
  const borg = (...args: readonly string[]): void => {
    execFileSync('borg', args, {
      env: {
        PATH: process.env['PATH'],
        BORG_PASSPHRASE: 'right',
        BORG_BASE_DIR: join(directory, 'home'),
        TZ: 'Asia/Tokyo',
      },
      stdio: 'pipe',
      timeout: 60_000,
    });
  };
  const create = (name: string, ...args: readonly string[]): void =>
    borg('create', ...args, `${repository}::${name}`, join(directory, 'data'));
  const contents = (): string =>
    execFileSync('find', [repository, '-type', 'f', '-exec', 'md5sum', '{}', '+'], { encoding: 'utf8' })
      .split('\n')
      .sort()
      .join('\n');

  beforeEach(() => {
    directory = temporaryDirectory();
    repository = join(directory, 'repository');
    mkdirSync(join(directory, 'data'));
    writeFileSync(join(directory, 'data/file'), 'content');
    writeFileSync(join(directory, 'password'), 'right\n');
    borg('init', '-e', 'repokey-blake2', repository);
  });

  const mine = (more: object = {}): object => ({ repository, passwordFile: join(directory, 'password'), ...more });

  it('tells that a repository is truly empty', async () => {
    expect(await read(mine())).toEqual({ kind: 'read', count: 0, newestGoodAtMs: null, growing: false, broken: null });
  });

  it('tells when the newest archive was begun, whatever the zone of who made it, and leaves no trace', async () => {
    const beforeMs = Date.now();
    create('laptop-1', '--timestamp', '2026-01-01T10:00:00');
    create('laptop-2');
    const files = contents();
    const homes = readdirSync(tmpdir()).filter((name) => name.startsWith('patrold-borg-'));
    const result = await read(mine());
    expect(result).toMatchObject({ kind: 'read', count: 2 });
    const newestMs = result.kind === 'read' ? (result.newestGoodAtMs ?? 0) : 0;
    expect(newestMs).toBeGreaterThanOrEqual(beforeMs - 2_000);
    expect(newestMs).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(contents()).toBe(files);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('patrold-borg-'))).toEqual(homes);
  });

  it('looks only at the archives that are asked for', async () => {
    create('laptop-1');
    create('nas-1');
    expect(await read(mine({ archives: 'laptop-*' }))).toMatchObject({ count: 1 });
    expect(await read(mine({ archives: 'phone-*' }))).toMatchObject({ count: 0, newestGoodAtMs: null });
  });

  it('does not wait for a backup that is running, and does not disturb it', async () => {
    create('laptop-1');
    mkdirSync(join(repository, 'lock.exclusive'));
    writeFileSync(join(repository, 'lock.exclusive', `elsewhere@1.1-0`), '');
    const files = contents();
    expect(await read(mine())).toMatchObject({ kind: 'read', count: 1 });
    expect(contents()).toBe(files);
  });

  it('never says "no backups" when it can not look', async () => {
    create('laptop-1');
    const trouble = async (settings: object): Promise<string> => {
      const result = await read(settings);
      return result.kind === 'unread' ? `${result.code}: ${result.reason}` : 'read';
    };
    expect(await trouble({ repository, password: 'wrong' })).toMatch(/^not_permitted: .*check passwordFile/);
    expect(await trouble({ repository })).toMatch(/^not_permitted: the repository wants a password/);
    expect(await trouble(mine({ passwordFile: '/nonexistent/password' }))).toMatch(/^failed: passwordFile .*ENOENT/);
    expect(await trouble(mine({ repository: join(directory, 'nowhere') }))).toMatch(
      /^unreachable: there is no repository/,
    );
    expect(await trouble(mine({ repository: join(directory, 'data') }))).toMatch(
      /^unreachable: there is no Borg repository/,
    );
    writeFileSync(join(repository, 'config'), 'garbage');
    expect(await trouble(mine())).toMatch(/^(malformed|unreachable|failed): /);
  });

  it('does not let Borg build a new index in a repository that has lost its own', async () => {
    create('laptop-1');
    for (const name of readdirSync(repository))
      if (/^(index|hints|integrity)\./.test(name)) rmSync(join(repository, name));
    const files = contents();
    expect(await read(mine())).toMatchObject({
      kind: 'unread',
      code: 'failed',
      reason: expect.stringContaining('index is missing'),
    });
    expect(contents()).toBe(files);
  });

  it('says that a repository is damaged', async () => {
    create('laptop-1');
    const segments = join(repository, 'data/0');
    for (const name of readdirSync(segments)) writeFileSync(join(segments, name), 'garbage, and not a little of it');
    expect(await read(mine())).toMatchObject({ kind: 'unread', code: expect.stringMatching(/malformed|failed/) });
  });

  it('reads an unencrypted repository that it has not seen before, without asking back', async () => {
    const plain = join(directory, 'plain');
    borg('init', '-e', 'none', plain);
    cpSync(plain, join(directory, 'moved'), { recursive: true });
    expect(await read({ repository: plain })).toMatchObject({ kind: 'read', count: 0 });
    expect(await read({ repository: join(directory, 'moved') })).toMatchObject({ kind: 'read', count: 0 });
  });

  it('does not hang on a machine that can not be reached', async () => {
    const result = await read({ repository: 'ssh://nobody@127.0.0.1:1/./repository', password: 'x', timeout: '20s' });
    expect(result).toMatchObject({ kind: 'unread', code: 'unreachable' });
  });
});

describe('readBorg', () => {
  const settings = { repository: 'ssh://nas/./r', password: 's3cret', environment: { BORG_RSH: 'ssh -i /key' } };
  const answering = (stdout: string, code = 0, stderr = ''): CommandRunner => ({
    run: async () => ({ kind: 'exited', code, stdout, stderr }),
  });

  it('puts address and password into the environment, never into argv, and lets the operator say how to connect', async () => {
    const asked: CommandRequest[] = [];
    await read(settings, {
      run: async (request) => {
        asked.push(request);
        return { kind: 'exited', code: 0, stdout: '{"archives":[]}', stderr: '' };
      },
    });
    expect(asked[0]?.args).toEqual(['--log-json', '--bypass-lock', 'list', '--json', '--last', '20']);
    expect(asked[0]?.env).toMatchObject({
      BORG_REPO: 'ssh://nas/./r',
      BORG_PASSPHRASE: 's3cret',
      BORG_RSH: 'ssh -i /key',
    });
  });

  it('reads times with and without an offset', async () => {
    const list =
      '{"archives":[{"start":"2026-01-01T10:00:00.000000"},{"start":"2026-01-01T12:00:00.000000+01:00"},{"start":"2026-01-01T10:30:00Z"}]}';
    expect(await read(settings, answering(list))).toMatchObject({ count: 3, newestGoodAtMs: Date.UTC(2026, 0, 1, 11) });
  });

  it('takes a warning for a warning', async () => {
    expect(await read(settings, answering('{"archives":[]}', 1))).toMatchObject({ kind: 'read' });
    expect(await read(settings, answering('{"archives":[]}', 105))).toMatchObject({ kind: 'read' });
  });

  it.each([
    ['no JSON', answering('Enter passphrase:'), 'malformed'],
    ['another document', answering('{"a":1}'), 'malformed'],
    ['a time that is none', answering('{"archives":[{"start":"soon"}]}'), 'malformed'],
    [
      'a message id that is known',
      answering('', 2, '{"type":"log_message","message":"locked","levelname":"ERROR","msgid":"LockTimeout"}'),
      'failed',
    ],
    [
      'a traceback',
      answering(
        '',
        2,
        '{"message":"Traceback\\n  File x\\nPermissionError: [Errno 13] Permission denied","levelname":"ERROR"}',
      ),
      'not_permitted',
    ],
    ['plain words', answering('', 2, 'ssh: connect to host nas port 22: Connection refused'), 'unreachable'],
    ['no program', { run: async () => ({ kind: 'not_found' }) } as CommandRunner, 'not_installed'],
  ])('takes %s for what it is', async (_title, commands, code) => {
    expect(await read(settings, commands)).toMatchObject({ kind: 'unread', code });
  });
});
