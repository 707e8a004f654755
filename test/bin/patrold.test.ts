import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..');
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

/** Makes this Node take itself for an old one. */
const ACT_OLD = `data:text/javascript;base64,${Buffer.from(`
  for (const [name, value] of [['versions', { ...process.versions, node: '20.1.0' }], ['version', 'v20.1.0']])
    Object.defineProperty(process, name, { value });`).toString('base64')}`;

const SAY_HOW = `
  console.log(JSON.stringify({ main: import.meta.filename.slice(-11), node: process.execPath, pid: process.pid, args: process.argv.slice(2) }));
  process.exitCode = 7;`;

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

interface Layout {
  /** Where patrold is, relative to a new directory. */
  readonly at?: string;
  /** Where the packaged Node is, likewise; null when it is not installed. */
  readonly nodeModules?: string | null;
  readonly mains?: readonly string[];
  readonly git?: boolean;
  readonly code?: string;
}

/** An installation of patrold with a main that only says how it was started; returns the path of its bin. */
const install = ({
  at = '.',
  nodeModules = 'node_modules',
  mains = ['src/main.ts'],
  git = false,
  code = SAY_HOW,
}: Layout = {}): string => {
  const directory = realpathSync(temporaryDirectory());
  const root = join(directory, at);
  write(join(root, 'package.json'), '{ "type": "module" }');
  cpSync(join(CHECKOUT, 'bin'), join(root, 'bin'), { recursive: true });
  for (const main of mains) write(join(root, main), code);
  if (git) mkdirSync(join(root, '.git'));
  if (nodeModules !== null) {
    mkdirSync(join(directory, nodeModules), { recursive: true });
    symlinkSync(join(CHECKOUT, 'node_modules', NODE_PACKAGE), join(directory, nodeModules, NODE_PACKAGE));
  }
  return join(root, 'bin', 'patrold.js');
};

const withNode = (age: 'old' | 'new', bin: string): string[] => [
  ...(age === 'old' ? ['--import', ACT_OLD] : []),
  bin,
  'run',
  '--json',
];

const start = (age: 'old' | 'new', bin: string, env: Readonly<Record<string, string>> = {}) => {
  const { stdout, stderr, status, pid } = spawnSync(process.execPath, withNode(age, bin), {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return { told: stdout === '' ? null : (JSON.parse(stdout) as Record<string, unknown>), stderr, status, pid };
};

test('a Node that is new enough runs main itself, with the arguments', () => {
  const { told, status, pid, stderr } = start('new', install());
  expect({ told, status, stderr }).toMatchObject({ told: { pid, args: ['run', '--json'] }, status: 7, stderr: '' });
});

test('an old Node starts main with the packaged one, with the arguments, and ends with its exit code', () => {
  const { told, status, pid, stderr } = start('old', install());
  const node = realpathSync(join(CHECKOUT, 'node_modules', NODE_PACKAGE, 'bin', 'node'));
  expect({ told, status, stderr }).toMatchObject({ told: { node, args: ['run', '--json'] }, status: 7, stderr: '' });
  expect(told?.['pid']).not.toBe(pid);
});

test('the packaged Node is found above, where patrold is installed as a dependency', () => {
  const bin = install({ at: 'node_modules/patrold', mains: ['dist/src/main.js'] });
  expect(start('old', bin)).toMatchObject({ told: { main: 'src/main.js' }, status: 7, stderr: '' });
});

test.each([
  ['what was built, in an installation', { mains: ['src/main.ts', 'dist/src/main.js'] }, {}, 'src/main.js'],
  ['the sources, in a git checkout', { mains: ['src/main.ts', 'dist/src/main.js'], git: true }, {}, 'src/main.ts'],
  ['the sources, where nothing was built', { mains: ['src/main.ts'] }, {}, 'src/main.ts'],
  ['what was built, in a checkout without sources', { mains: ['dist/src/main.js'], git: true }, {}, 'src/main.js'],
  [
    'what was built, when asked',
    { mains: ['src/main.ts', 'dist/src/main.js'], git: true },
    { PATROLD_DIST: '1' },
    'src/main.js',
  ],
  ['the sources, when asked', { mains: ['src/main.ts', 'dist/src/main.js'] }, { PATROLD_DIST: '0' }, 'src/main.ts'],
])('it runs %s', (_title, layout, env, main) => {
  expect(start('new', install(layout), env).told?.['main']).toBe(main);
});

test('an old Node without the packaged one is told what is missing and what to do', () => {
  const { told, status, stderr } = start('old', install({ nodeModules: null }));
  expect({ told, status }).toEqual({ told: null, status: 2 });
  expect(stderr).toMatch(
    /^patrold: needs Node 24 or newer, and this is v20\.1\.0\. The package node-\S+ .*install patrold again/,
  );
});

test.each(['old', 'new'] as const)('an installation without a main is told as incomplete (%s Node)', (age) => {
  const { status, stderr } = start(age, install({ mains: [] }));
  expect(status).toBe(2);
  expect(stderr).toMatch(/^patrold: the installation is incomplete: there is no \S+main\.js, nor \S+main\.ts\n$/);
});

test('what was asked for is not replaced by the other', () => {
  const { status, stderr } = start('new', install(), { PATROLD_DIST: '1' });
  expect(status).toBe(2);
  expect(stderr).toContain('dist/src/main.js');
});

/** Starts, waits for the first line, and lets a test go on from there. */
const startAndWait = async (code: string): Promise<{ child: ChildProcess; ended: Promise<unknown[]> }> => {
  const child = spawn(process.execPath, withNode('old', install({ code })), {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit');
  if (child.stdout === null) throw new Error('no stdout');
  await once(child.stdout, 'data');
  return { child, ended };
};

test('a command runs with the packaged Node first on the PATH, on an old Node', () => {
  const bin = join(dirname(install()), 'node.js');
  const args = ['--import', ACT_OLD, bin, 'node', '-p', 'process.execPath'];
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } });
  expect(status).toBe(0);
  expect(stdout.trim()).toBe(realpathSync(join(CHECKOUT, 'node_modules', NODE_PACKAGE, 'bin', 'node')));
});

test('a command runs with the PATH as it is on a Node that is new enough, and one that is not there is told', () => {
  const bin = join(dirname(install()), 'node.js');
  const env = { PATH: '/nowhere' };
  expect(
    spawnSync(process.execPath, [bin, '/bin/sh', '-c', 'echo $PATH; exit 5'], { encoding: 'utf8', env }),
  ).toMatchObject({
    stdout: '/nowhere\n',
    status: 5,
  });
  const { stderr, status } = spawnSync(process.execPath, [bin, 'no-such-command'], { encoding: 'utf8', env });
  expect({ stderr, status }).toEqual({
    stderr: 'patrold: can not start no-such-command: spawn no-such-command ENOENT\n',
    status: 2,
  });
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s is passed on, and the exit code that main chooses comes back',
  async (signal) => {
    const { child, ended } = await startAndWait(`
    process.on('${signal}', () => process.exit(42));
    setInterval(() => undefined, 1000);
    console.log('ready');`);
    child.kill(signal);
    expect(await ended).toEqual([42, null]);
  },
);

test('when main dies of a signal, so does what started it', async () => {
  const { ended } = await startAndWait(
    `console.log('ready'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50);`,
  );
  expect(await ended).toEqual([null, 'SIGKILL']);
});

test('one Ctrl-C at a terminal is one signal', async () => {
  const bin = install({
    code: `
      let count = 0;
      process.on('SIGINT', () => { if (++count === 1) setTimeout(() => { console.log('interrupts: ' + count); process.exit(0); }, 300); });
      setInterval(() => undefined, 1000);
      console.log('ready');`,
  });
  const command = [process.execPath, ...withNode('old', bin)].map((word) => `'${word}'`).join(' ');
  const terminal = spawn('script', ['-qfec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  terminal.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.trim() === 'ready') terminal.stdin.write('\u0003');
  });
  await once(terminal, 'exit');
  expect(output).toContain('interrupts: 1');
});
