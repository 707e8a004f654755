/** The processes of a test's own Docker engine: dockerd and, unless the system runs one, containerd. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, openSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpClient } from '../../src/runtime/http-client.ts';

const READY_WITHIN_MS = 30_000;
const ENDED_WITHIN_MS = 20_000;
const POLL_MS = 50;

/** Where a program is, also one for administrators alone; null: it is not installed. */
export const inPath = (program: string): string | null =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin', '/usr/local/sbin']
    .map((directory) => join(directory, program))
    .find((path) => existsSync(path)) ?? null;

export const startDaemon = (directory: string, cgroup: string): ChildProcess => {
  const program = inPath('dockerd') ?? 'dockerd';
  const version = execFileSync(program, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  const isOld = Number(/version (\d+)\./.exec(version)?.[1] ?? 99) < 24;
  const configFile = join(directory, 'daemon.json');
  // Up to version 23 the engine keeps a key in /etc/docker, from which two engines would have one id.
  writeFileSync(configFile, JSON.stringify(isOld ? { 'deprecated-key-path': join(directory, 'key.json') } : {}));
  const log = openSync(join(directory, 'log'), 'w');
  const options = [
    ...['--data-root', join(directory, 'data'), '--exec-root', join(directory, 'exec')],
    ...['--pidfile', join(directory, 'pid'), '-H', `unix://${join(directory, 'd.sock')}`],
    ...['--storage-driver', 'vfs', '--iptables=false', '--bridge=none', '--ip-forward=false'],
    ...['--cgroup-parent', `/${cgroup}`, '--exec-opt', 'native.cgroupdriver=cgroupfs'],
    ...['--config-file', configFile],
    // Where a containerd of the system runs, dockerd uses it: keep to a corner of our own.
    ...['--containerd-namespace', cgroup, '--containerd-plugins-namespace', `${cgroup}-plugins`],
  ];
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
  return spawn(program, options, {
    stdio: ['ignore', log, log],
    env: { PATH: path, HOME: directory, TMPDIR: directory },
  });
};

const logTail = (directory: string): string =>
  readFileSync(join(directory, 'log'), 'utf8').split('\n').slice(-8).join('\n');

export const ready = async (http: HttpClient, daemon: ChildProcess, directory: string): Promise<void> => {
  const end = performance.now() + READY_WITHIN_MS;
  while (performance.now() < end) {
    if (daemon.exitCode !== null) throw new Error(`dockerd ended with ${daemon.exitCode}:\n${logTail(directory)}`);
    const ping = await http.request({ path: '/_ping', limits: { totalMs: 2_000 } });
    if (ping.ok && ping.value.status === 200) return;
    await wait(POLL_MS);
  }
  throw new Error(`dockerd was not ready within ${READY_WITHIN_MS} ms:\n${logTail(directory)}`);
};

export const endDaemon = async (daemon: ChildProcess, directory: string): Promise<void> => {
  daemon.kill('SIGCONT');
  const ended = daemon.exitCode !== null || daemon.signalCode !== null;
  const exit = ended ? Promise.resolve() : new Promise((resolve) => void daemon.once('exit', resolve));
  daemon.kill('SIGTERM');
  const containerd = ownContainerd(directory);
  const timer = new AbortController();
  const late = await Promise.race([exit.then(() => false), wait(ENDED_WITHIN_MS, true, { signal: timer.signal })]);
  timer.abort();
  if (!late) return;
  daemon.kill('SIGKILL');
  if (containerd !== null && isOurs(containerd, directory)) process.kill(containerd, 'SIGKILL');
  await exit;
};

/** The containerd that this dockerd started; null where it uses the system's. */
const ownContainerd = (directory: string): number | null => {
  try {
    return Number(readFileSync(join(directory, 'exec', 'containerd', 'containerd.pid'), 'utf8')) || null;
  } catch {
    return null;
  }
};

const isOurs = (pid: number, directory: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(directory);
  } catch {
    return false;
  }
};

/** Mounts, files and cgroups that the engine leaves behind. */
export const removeLeftovers = (directory: string, cgroup: string): void => {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '');
  for (const mount of mounts.filter((path) => path.startsWith(`${directory}/`)).reverse()) {
    execFileSync('umount', ['-l', mount], { stdio: 'ignore', timeout: 10_000 });
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const hierarchies = ['/sys/fs/cgroup', ...readdirSync('/sys/fs/cgroup').map((name) => join('/sys/fs/cgroup', name))];
  for (const path of hierarchies.map((hierarchy) => join(hierarchy, cgroup))) {
    if (existsSync(path)) rmdirSync(path);
  }
};
