/** The composition root: the only reader of arguments, environment and signals. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './cli/program.ts';
import { createTerminal } from './cli/terminal.ts';
import { createApp } from './composition/app.ts';
import type { ProcessPorts } from './composition/process-ports.ts';
import { packageRoot } from './runtime/package-root.ts';

const version = (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { readonly version: string })
  .version;

/** The first signal asks to stop, the second one stops. */
const listenForSignals = (): AbortSignal => {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
      stop.abort(new Error(`stopped by ${signal}`));
    });
  }
  return stop.signal;
};

const { env, stdout, stderr } = process;
// A reader that has seen enough (`| head`) is no failure.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const ports: ProcessPorts = {
  env,
  stdout,
  stderr,
  interrupted: listenForSignals(),
  onReload: (reload) => {
    process.on('SIGHUP', reload);
  },
  isRoot: process.getuid?.() === 0,
  pid: process.pid,
  version,
};

process.exitCode = await runProgram(process.argv.slice(2), {
  version,
  createApp: (flags) => createApp(flags, ports),
  createTerminal: (flags) => createTerminal({ stdout, stderr, env, colour: flags.color ?? null }),
});
