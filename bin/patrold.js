#!/usr/bin/env node
/**
 * Starts patrold on a Node that can run it.
 *
 * On Node 24 or newer, main is imported here; otherwise it is started with the Node that patrold brings.
 *
 * Which main: `PATROLD_DIST=1` takes what was built (dist/src/main.js), `PATROLD_DIST=0` the sources (src/main.ts).
 * Without it, what was built is taken where there is some, except in a git checkout, where it may be out of date.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fail, findNode, isNewEnough, runInstead } from './packaged-node.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

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

const main = findMain();
if (isNewEnough) await import(pathToFileURL(main).href);
else runInstead(findNode(), [main, ...process.argv.slice(2)]);
