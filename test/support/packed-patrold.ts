/** patrold as people get it: packed by npm, with what `prepack` builds, and unpacked again. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const CHECKOUT = join(import.meta.dirname, '..', '..');
const NODE_MODULES = join(CHECKOUT, 'node_modules');
/** Compiling takes half a minute on a small machine, and three test files want it: one is kept, by what it is made of. */
const CACHE = join(NODE_MODULES, '.cache', 'patrold-package');
const PACK_TIMEOUT_MS = 180_000;

/** Everything that decides what is in the package. */
const INGREDIENTS = [
  ...['src', 'signals', 'findings', 'bin', 'migrations', 'scenarios', 'docs', 'deploy'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', '.npmrc', 'LICENSE', 'README.md'],
].filter((name) => existsSync(join(CHECKOUT, name)));

const filesIn = (name: string): readonly string[] =>
  readdirSync(join(CHECKOUT, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const fingerprint = (): string => {
  const hash = createHash('sha256');
  for (const name of INGREDIENTS) {
    const path = join(CHECKOUT, name);
    for (const file of statSync(path).isDirectory() ? filesIn(name) : [path]) {
      hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex').slice(0, 32);
};

/** Packs a copy, so that nothing in the checkout changes under other tests. */
const pack = (into: string): void => {
  const work = mkdtempSync(join(tmpdir(), 'patrold-pack-'));
  try {
    for (const name of INGREDIENTS) cpSync(join(CHECKOUT, name), join(work, name), { recursive: true });
    symlinkSync(NODE_MODULES, join(work, 'node_modules'));
    execFileSync('npm', ['run', '-s', 'package'], { cwd: work, timeout: PACK_TIMEOUT_MS, stdio: 'pipe' });
    const [tarball = ''] = readdirSync(work).filter((name) => name.endsWith('.tgz'));
    execFileSync('tar', ['-xzf', join(work, tarball), '-C', into], { timeout: 60_000 });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

/** The unpacked package, without node_modules. Not to be written to: other tests use it too. */
export const packedPatrold = (): string => {
  const directory = join(CACHE, fingerprint());
  if (existsSync(directory)) return join(directory, 'package');
  mkdirSync(CACHE, { recursive: true });
  const old = readdirSync(CACHE).map((name) => join(CACHE, name));
  const made = mkdtempSync(join(CACHE, 'making-'));
  try {
    pack(made);
    renameSync(made, directory);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // Another test file was faster.
    if (!existsSync(directory)) throw error;
  }
  // One that is being made belongs to somebody.
  for (const path of old.filter((each) => !each.includes('making-'))) rmSync(path, { recursive: true, force: true });
  return join(directory, 'package');
};

/** Paths from the checkout of the packages that patrold runs with; those that one of them nests come with it. */
export const runtimePackages = (): readonly string[] =>
  execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: CHECKOUT, encoding: 'utf8' })
    .split('\n')
    .map((path) => relative(CHECKOUT, path))
    .filter((path) => path.startsWith('node_modules/') && path.lastIndexOf('node_modules/') === 0);
