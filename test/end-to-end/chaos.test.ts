import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/runtime/package-root.ts';

test('a dozen kills at random moments of runs and verbs lose nothing and double nothing', async () => {
  const script = join(packageRoot(), 'bench', 'chaos.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    '--kills',
    '12',
    '--seed',
    '20260301',
    '--json',
  ]);
  const { kills, lost, doubled, broken, promisedChanges } = JSON.parse(stdout) as Record<string, number>;
  expect({ kills, lost, doubled, broken }).toEqual({ kills: 12, lost: 0, doubled: 0, broken: 0 });
  expect(promisedChanges).toBeGreaterThan(0);
}, 180_000);
