/** What the architecture tests look at, in the checkout or in a tree that a test planted. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '../support/temporary-directory.ts';

export const CHECKOUT = join(import.meta.dirname, '..', '..');

/** Made by tools, or kept by git. */
const NOT_OURS = new Set(['.git', '.patrold', 'coverage', 'dist', 'node_modules']);

export interface SourceFile {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly text: string;
}

const walk = (root: string, directory: string): string[] =>
  readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
    if (entry.isDirectory()) return walk(root, path);
    return entry.isFile() ? [path] : [];
  });

/** Every file of ours whose path `wanted` accepts. */
export const filesOf = (root: string, wanted: (path: string) => boolean): readonly SourceFile[] =>
  walk(root, '')
    .filter(wanted)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** A new tree with these files; the violations that a rule must find are planted in one. */
export const plant = (files: Readonly<Record<string, string>>): string => {
  const root = temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};
