/** A Docker engine of a test's own: started in a temporary directory, with an image made of busybox, and ended with all it left. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpClient, type HttpClient } from '../../src/runtime/http-client.ts';
import { checked, type DockerCalls, dockerCalls, TEST_IMAGE } from './docker-calls.ts';
import { endDaemon, inPath, ready, removeLeftovers, startDaemon } from './docker-daemon.ts';

const APPLETS = [
  'sh',
  'sleep',
  'cat',
  'true',
  'false',
  'echo',
  'dd',
  'test',
  'kill',
  'touch',
  'rm',
  'ls',
  'head',
  'tail',
];

/** Why no engine can be started here; null if one can. */
export const whyNoRealDocker = (): string | null => {
  if (process.getuid?.() !== 0) return 'dockerd needs root';
  for (const program of ['dockerd', 'containerd', 'runc', 'busybox', 'tar']) {
    if (inPath(program) === null) return `${program} is not installed`;
  }
  return null;
};

export interface RealDocker extends DockerCalls {
  readonly socketPath: string;
  /** Every container, whatever it does. */
  removeAll(): Promise<void>;
  /** SIGSTOP and SIGCONT to the daemon: it accepts connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Ends the daemon, with its containers; what it knows of them stays on disk. */
  stopEngine(): Promise<void>;
  startEngine(): Promise<void>;
  close(): Promise<void>;
}

export const startRealDocker = async (): Promise<RealDocker> => {
  // Short: a unix socket's path holds 107 characters.
  const directory = mkdtempSync(join(tmpdir(), 'pd-'));
  const cgroup = `patrold-${process.pid}-${directory.slice(-6)}`;
  let daemon = startDaemon(directory, cgroup);
  const killAtExit = (): void => void daemon.kill('SIGKILL');
  process.once('exit', killAtExit);
  const socketPath = join(directory, 'd.sock');
  const http = createHttpClient({
    baseUrl: 'http://docker',
    socketPath,
    limits: { totalMs: 60_000, firstByteMs: 60_000 },
  });
  const end = async (): Promise<void> => {
    http.close();
    await endDaemon(daemon, directory);
    process.removeListener('exit', killAtExit);
    removeLeftovers(directory, cgroup);
  };
  try {
    await ready(http, daemon, directory);
    await importImage(http, directory);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    socketPath,
    ...dockerCalls(http),
    removeAll: () => removeAll(http),
    freeze: () => void daemon.kill('SIGSTOP'),
    thaw: () => void daemon.kill('SIGCONT'),
    stopEngine: () => endDaemon(daemon, directory),
    startEngine: async () => {
      daemon = startDaemon(directory, cgroup);
      await ready(http, daemon, directory);
    },
    close: async () => {
      try {
        await removeAll(http);
      } finally {
        await end();
      }
    },
  };
};

/** `docker import` of a root filesystem that holds busybox alone. */
const importImage = async (http: HttpClient, directory: string): Promise<void> => {
  const root = join(directory, 'rootfs');
  for (const part of ['bin', 'tmp', 'etc']) mkdirSync(join(root, part), { recursive: true });
  copyFileSync(inPath('busybox') ?? '', join(root, 'bin', 'busybox'));
  for (const applet of APPLETS) symlinkSync('busybox', join(root, 'bin', applet));
  const body = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 64 * 1024 * 1024, timeout: 30_000 });
  const [repo = '', tag = ''] = TEST_IMAGE.split(':');
  await checked(http, {
    method: 'POST',
    path: '/images/create',
    query: { fromSrc: '-', repo, tag },
    headers: { 'content-type': 'application/x-tar' },
    body,
  });
};

const removeAll = async (http: HttpClient): Promise<void> => {
  const list = JSON.parse((await checked(http, { path: '/containers/json', query: { all: 1 } })).toString('utf8')) as {
    Id: string;
  }[];
  await Promise.all(
    list.map(({ Id }) =>
      checked(http, { method: 'DELETE', path: `/containers/${Id}`, query: { force: 1, v: 1 } }, [204, 404, 409]),
    ),
  );
};
