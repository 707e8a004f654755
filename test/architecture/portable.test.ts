/** The repository works wherever it is cloned: no registry's host, and no path of the machine it was written on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKOUT, filesOf, plant } from './source-tree.ts';

// Put together, so that this file does not name them.
const HOSTS = [
  'registry.npmjs',
  'registry.yarnpkg',
  'npm.pkg.github',
  'files.pythonhosted',
  'proxy.golang',
  'registry-1.docker',
  'index.crates',
];
const HOST_ENDINGS = ['org', 'com', 'io'];
const PLACES = ['work', 'farm'];

const HOST = new RegExp(`(${HOSTS.join('|').replaceAll('.', '\\.')})\\.(${HOST_ENDINGS.join('|')})`);
/** At the start of a path, so that a URL or a deeper directory with such a name is left alone. */
const PLACE = new RegExp(`(?<![\\w.~}*-])/(${PLACES.join('|')})/`);

const problems = (root: string): readonly string[] =>
  filesOf(root, () => true).flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const found = line.match(HOST)?.[0] ?? line.match(PLACE)?.[0];
      return found === undefined ? [] : [`${path}:${index + 1} names ${found}`];
    }),
  );

test('no file names the host of a registry or an absolute path of a workplace', () => {
  expect(problems(CHECKOUT)).toEqual([]);
});

test('the lock file says what is installed, with its hash, and not from where', () => {
  const lock = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly integrity?: string }>>;
  };
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  expect(entries.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
  expect(entries.filter(([, entry]) => entry.integrity === undefined).map(([path]) => path)).toEqual([]);
});

test('a host and a path are found wherever they stand', () => {
  const [host, place] = [`https://${HOSTS[0]}.${HOST_ENDINGS[0]}/x`, `/${PLACES[0]}/main`];
  const root = plant({ 'docs/a.md': `see ${host}`, '.npmrc': `cache=${place}/cache`, 'src/b.ts': `\n'${place}/b'` });
  expect([...problems(root)].sort()).toEqual([
    `.npmrc:1 names /${PLACES[0]}/`,
    `docs/a.md:1 names ${HOSTS[0]}.${HOST_ENDINGS[0]}`,
    `src/b.ts:2 names /${PLACES[0]}/`,
  ]);
});

test('a deeper directory or a URL with such a name is left alone', () => {
  const root = plant({
    'docs/a.md': `/srv/${PLACES[0]}/x https://example.org/${PLACES[0]}/ ../${PLACES[0]}/ {root}/${PLACES[0]}/`,
  });
  expect(problems(root)).toEqual([]);
});
