/** Pages that are made from code say what the code says. */
import { appendFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pages } from '../../tools/docs/pages.ts';
import { stalePages } from '../../tools/docs/stale-pages.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { CHECKOUT } from './source-tree.ts';

test('no generated page is stale: `npm run docs` writes them', () => {
  expect(stalePages(CHECKOUT)).toEqual([]);
});

test('a page that was edited, and one that is missing, are found', () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, 'docs'));
  for (const path of Object.keys(pages)) cpSync(join(CHECKOUT, path), join(root, path));
  appendFileSync(join(root, 'docs/errors.md'), 'edited\n');
  rmSync(join(root, 'docs/config.md'));
  expect(stalePages(root)).toEqual(['docs/config.md', 'docs/errors.md']);
});
