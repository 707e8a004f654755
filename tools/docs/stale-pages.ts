/** Which pages no longer say what the code says. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pages } from './pages.ts';

/** Paths from `root`, in order; a page that is missing is stale too. */
export const stalePages = (root: string): readonly string[] =>
  Object.entries(pages).flatMap(([path, make]) => {
    const file = join(root, path);
    return existsSync(file) && readFileSync(file, 'utf8') === make() ? [] : [path];
  });
