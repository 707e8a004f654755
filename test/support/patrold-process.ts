/** patrold as a process of its own, as people and services start it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type FaultyEngine, startFaultyEngine } from '../../bench/faulty-engine.ts';
import type { RunReport } from '../../src/patrol/report.ts';
import { packageRoot } from '../../src/runtime/package-root.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const MAIN = join(packageRoot(), 'src', 'main.ts');
const POLL_MS = 20;
const LOGGED_WITHIN_MS = 30_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when stderr says it, after what was waited for before. */
  logged(text: string): Promise<void>;
}

/** A home for patrold: config, data directory, and an engine whose containers can be made faulty. */
export interface Household {
  readonly directory: string;
  readonly data: string;
  readonly config: string;
  readonly engine: FaultyEngine;
  writeConfig(text: string): void;
  start(args: readonly string[], wrap?: readonly string[]): Running;
  run(args: readonly string[], wrap?: readonly string[]): Promise<Ended>;
  /** `patrold run --json`: exactly one document on stdout. */
  patrol(wrap?: readonly string[]): Promise<Ended & { readonly report: RunReport }>;
}

const listen = (child: ChildProcess): Running => {
  const out = { stdout: '', stderr: '' };
  let heard = 0;
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      out[name] += text;
    });
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, ...out })),
  );
  return {
    process: child,
    ended,
    logged: async (text) => {
      for (let waitedMs = 0; waitedMs < LOGGED_WITHIN_MS; waitedMs += POLL_MS) {
        const at = out.stderr.indexOf(text, heard);
        if (at >= 0) {
          heard = at + text.length;
          return;
        }
        await wait(POLL_MS);
      }
      throw new Error(`"${text}" was not logged:\n${out.stderr}`);
    },
  };
};

export const openHousehold = async (containers = 5): Promise<Household> => {
  const directory = temporaryDirectory();
  const config = join(directory, 'patrold.yaml');
  const data = join(directory, 'data');
  const socket = join(directory, 'engine.sock');
  const engine = await startFaultyEngine(socket, containers);
  onTestFinished(() => engine.close());
  const writeConfig = (text: string): void => writeFileSync(config, text, { mode: 0o600 });
  writeConfig(`sources: [{ id: docker, type: docker, socket: ${socket} }]\n`);
  mkdirSync(data, { mode: 0o700 });
  const start = (args: readonly string[], wrap: readonly string[] = []): Running => {
    const [program = process.execPath, ...rest] = [
      ...wrap,
      process.execPath,
      MAIN,
      ...args,
      '--config',
      config,
      '--data',
      data,
    ];
    const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    });
    return listen(child);
  };
  const run: Household['run'] = (args, wrap) => start(args, wrap).ended;
  return {
    directory,
    data,
    config,
    engine,
    writeConfig,
    start,
    run,
    patrol: async (wrap) => {
      const ended = await run(['run', '--json'], wrap);
      return { ...ended, report: JSON.parse(ended.stdout) as RunReport };
    },
  };
};
