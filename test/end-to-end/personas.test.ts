import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { personas } from '../../bench/chat-personas.ts';
import { packageRoot } from '../../src/runtime/package-root.ts';

interface Figures {
  readonly name: string;
  readonly planted: number;
  readonly found: number;
  readonly false: number;
  readonly refused: number;
  readonly turns: number;
}

test('whatever a model is like, what scenarios plant is found once, and nothing else', {
  timeout: 240_000,
}, async () => {
  const script = join(packageRoot(), 'bench', 'personas.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--only', 'host-disk-full', '--json']);
  const { personas: figures } = JSON.parse(stdout) as { readonly personas: readonly Figures[] };
  expect(figures.map(({ name }) => name)).toEqual(personas.map(({ name }) => name));
  for (const { name, planted, found, refused, turns, ...rest } of figures) {
    expect([name, planted, found, rest.false, refused]).toEqual([name, 1, 1, 0, 0]);
    expect(turns).toBeGreaterThan(0);
  }
});
