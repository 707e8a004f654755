/** How soon the daemon is ready, and what it takes when nothing happens: built, and started as the service starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../src/runtime/package-root.ts';
import { median } from './machine.ts';

/** As in deploy/patrold.service. */
export const SERVICE_FLAGS = ['--max-semi-space-size=2', '--v8-pool-size=1'];
export const SERVICE_ENV = { ...process.env, MALLOC_ARENA_MAX: '1' };
const STARTS = 7;
const READY_TIMEOUT_MS = 30_000;
const POLL_MS = 5;

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

const isReady = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(url, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });

interface Started {
  readonly process: ChildProcess;
  readonly readyMs: number;
}

const startDaemon = async (directory: string, config: string): Promise<Started> => {
  const port = await freePort();
  const main = join(packageRoot(), 'dist', 'src', 'main.js');
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    [...SERVICE_FLAGS, main, 'serve', '--config', config, '--data', directory, '--listen', `127.0.0.1:${port}`],
    { stdio: ['ignore', 'ignore', 'ignore'], env: SERVICE_ENV },
  );
  while (!(await isReady(`http://127.0.0.1:${port}/readyz`))) {
    if (child.exitCode !== null || performance.now() - begun > READY_TIMEOUT_MS)
      throw new Error(`the daemon did not become ready; is dist built? (exit code ${child.exitCode})`);
    await sleep(POLL_MS);
  }
  return { process: child, readyMs: performance.now() - begun };
};

const stop = async ({ process: child }: Started): Promise<void> => {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
};

const residentBytes = (pid: number): number => {
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
};

export interface DaemonFigures {
  readonly startToReadyMs: number;
  readonly idleMb: number;
  readonly idleMinutes: number;
}

export const measureDaemon = async (idleMinutes: number): Promise<DaemonFigures> => {
  const directory = mkdtempSync(join(tmpdir(), 'patrold-daemon-'));
  const config = join(directory, 'patrold.yaml');
  writeFileSync(config, 'patrol: { watch: 1m }\n', { mode: 0o600 });
  const data = join(directory, 'data');
  try {
    const starts: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      const started = await startDaemon(data, config);
      starts.push(started.readyMs);
      await stop(started);
    }
    const idle = await startDaemon(data, config);
    await sleep(idleMinutes * 60_000);
    const idleMb = residentBytes(idle.process.pid ?? 0) / 1e6;
    await stop(idle);
    // The first start makes the database.
    return { startToReadyMs: median(starts.slice(1)), idleMb, idleMinutes };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};
