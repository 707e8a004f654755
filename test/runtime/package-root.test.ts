import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/runtime/package-root.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('the root is the directory of the manifest, found from the sources', () => {
  expect(packageRoot()).toBe(join(import.meta.dirname, '..', '..'));
});

test('the root is the same for what was built into dist', () => {
  const root = temporaryDirectory();
  writeFileSync(join(root, 'package.json'), '{}');
  mkdirSync(join(root, 'dist', 'src', 'runtime'), { recursive: true });
  expect(packageRoot(join(root, 'dist', 'src', 'runtime'))).toBe(root);
});

test('without a manifest anywhere above, the place of the code is as good as any', () => {
  expect(packageRoot('/')).toContain(join('src', 'runtime'));
});
