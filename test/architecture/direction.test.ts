/** The rules of .dependency-cruiser.cjs bite: each is broken once here, and refused by name. */
import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKOUT, plant } from './source-tree.ts';

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string; readonly severity: string };
}

const CRUISE = join(CHECKOUT, 'node_modules', '.bin', 'depcruise');

/** The rules that each file of `files` breaks, as `npm run check` would say it. */
const broken = (files: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> => {
  const root = plant(files);
  for (const file of ['package.json', 'tsconfig.json', 'dependency-homes.json', '.dependency-cruiser.cjs']) {
    cpSync(join(CHECKOUT, file), join(root, file));
  }
  symlinkSync(join(CHECKOUT, 'node_modules'), join(root, 'node_modules'));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [CRUISE, '{src,signals,findings}/**/*.ts', '--output-type', 'json'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64_000_000,
    },
  );
  expect(stderr).toBe('');
  const { summary } = JSON.parse(stdout) as { readonly summary: { readonly violations: readonly Violation[] } };
  const errors = summary.violations.filter(({ rule }) => rule.severity === 'error');
  return Object.fromEntries(
    [...new Set(errors.map(({ from }) => from))]
      .sort()
      .map((path) => [
        path,
        [...new Set(errors.filter(({ from }) => from === path).map(({ rule }) => rule.name))].sort(),
      ]),
  );
};

const importing = (...from: readonly string[]): string =>
  from.map((path, index) => `import * as a${index} from '${path}';`).join('\n');

/** One file for each part to import; they import each other in the allowed direction, so that none is an orphan. */
const PARTS = {
  'signals/reading.ts': 'export const reading = 1;',
  'findings/finding.ts': importing('../signals/reading.ts'),
  'src/runtime/clock.ts': 'export const clock = 1;',
  'src/config/config.ts': importing('../runtime/clock.ts'),
  'src/sources/source.ts': importing('../../signals/reading.ts'),
  'src/agent/loop.ts': importing('../sources/source.ts', '../model/port.ts'),
  'src/model/port.ts': importing('../runtime/clock.ts'),
  'src/patrol/run.ts': importing('../agent/loop.ts', '../../findings/finding.ts'),
  'src/http/server.ts': importing('../patrol/run.ts', 'fastify'),
  'src/cli/cli.ts': importing('../patrol/run.ts', 'commander'),
  'src/main.ts': importing('./http/server.ts', './cli/cli.ts', './config/config.ts', '../findings/store.ts'),
  'findings/store.ts': importing('../src/runtime/clock.ts', './finding.ts'),
} as const;

test('imports in the direction of the architecture, and packages at home, are allowed', () => {
  const files = {
    ...PARTS,
    'src/runtime/drizzle.ts': importing('drizzle-orm', 'better-sqlite3'),
    'src/patrol/schedule.ts': importing('node-cron', '../investigation/dispatch.ts'),
    'src/investigation/dispatch.ts': importing('../agent/loop.ts', 'p-limit', 'node:crypto'),
    'findings/identity.ts': importing('node:crypto'),
  };
  expect(broken(files)).toEqual({});
});

test('imports against the direction of the architecture are refused', () => {
  const files = {
    ...PARTS,
    'signals/a.ts': importing('../findings/finding.ts'),
    'signals/b.ts': "import type { clock } from '../src/runtime/clock.ts';\nexport type B = typeof clock;",
    'findings/a.ts': importing('../src/runtime/clock.ts'),
    'findings/history.ts': importing('../src/config/config.ts'),
    'src/runtime/a.ts': importing('../config/config.ts'),
    'src/runtime/b.ts': importing('../../signals/reading.ts'),
    'src/config/a.ts': importing('../sources/source.ts'),
    'src/sources/a.ts': importing('../agent/loop.ts'),
    'src/evidence/a.ts': importing('../patrol/run.ts'),
    'src/tools/a.ts': importing('../http/server.ts'),
    'src/agent/a.ts': importing('../patrol/run.ts'),
    'src/patrol/a.ts': importing('../cli/cli.ts'),
    'src/http/a.ts': importing('../cli/cli.ts'),
    'src/capabilities/a.ts': importing('../http/server.ts'),
    'src/cli/a.ts': importing('../main.ts'),
    'src/model/a.ts': importing('../agent/loop.ts'),
  };
  expect(broken(files)).toEqual({
    'signals/a.ts': ['direction-signals'],
    'signals/b.ts': ['direction-signals'],
    'findings/a.ts': ['direction-findings'],
    'findings/history.ts': ['findings-storage-touches-runtime-only'],
    'src/runtime/a.ts': ['direction-runtime'],
    'src/runtime/b.ts': ['direction-runtime'],
    'src/config/a.ts': ['direction-config'],
    'src/sources/a.ts': ['direction-sources'],
    'src/evidence/a.ts': ['direction-evidence'],
    'src/tools/a.ts': ['direction-tools'],
    'src/agent/a.ts': ['direction-agent'],
    'src/patrol/a.ts': ['direction-patrol'],
    'src/http/a.ts': ['direction-http'],
    'src/capabilities/a.ts': ['direction-capabilities'],
    'src/cli/a.ts': ['direction-cli', 'main-composes-alone'],
    'src/model/a.ts': ['direction-model'],
  });
});

test('packages away from home, impure parts, circles, orphans and what is not there are refused', () => {
  const files = {
    ...PARTS,
    'signals/a.ts': importing('node:fs'),
    'signals/b.ts': importing('zod'),
    'findings/a.ts': importing('node:fs', 'zod'),
    'src/evidence/a.ts': importing('better-sqlite3'),
    'src/runtime/a.ts': importing('drizzle-orm/sqlite-core', 'drizzle-orm'),
    'src/patrol/a.ts': importing('node-cron'),
    'src/config/a.ts': importing('fastify', '@fastify/helmet', 'commander'),
    'src/notify/a.ts': importing('vitest'),
    'src/agent/a.ts': importing('./b.ts'),
    'src/agent/b.ts': importing('./a.ts'),
    'src/tools/a.ts': 'export const forgotten = 1;',
    'src/tools/b.ts': importing('./nowhere.ts'),
    'src/mcp/a.ts': importing('../../test/support/a.ts'),
    'test/support/a.ts': 'export const a = 1;',
  };
  expect(broken(files)).toEqual({
    'signals/a.ts': ['signals-is-pure'],
    'signals/b.ts': ['signals-is-pure'],
    'findings/a.ts': ['findings-lifecycle-is-pure'],
    'src/evidence/a.ts': ['home-of-better-sqlite3'],
    'src/runtime/a.ts': ['home-of-drizzle-orm'],
    'src/patrol/a.ts': ['home-of-node-cron'],
    'src/config/a.ts': ['home-of-@fastify', 'home-of-commander', 'home-of-fastify'],
    'src/notify/a.ts': ['no-development-package'],
    'src/agent/a.ts': ['no-circular'],
    'src/tools/a.ts': ['no-orphans'],
    'src/tools/b.ts': ['not-to-unresolvable'],
    'src/mcp/a.ts': ['direction-mcp', 'product-does-not-import-tests'],
  });
});
