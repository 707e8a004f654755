/** Writes the pages that are made from code; `--check` changes nothing, and fails where one is stale. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pages } from './pages.ts';
import { stalePages } from './stale-pages.ts';

const root = join(import.meta.dirname, '..', '..');
const stale = stalePages(root);

if (process.argv.includes('--check')) {
  for (const path of stale) console.error(`${path} is stale: run \`npm run docs\``);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const path of stale) {
    writeFileSync(join(root, path), pages[path]?.() ?? '');
    console.log(`wrote ${path}`);
  }
}
