/** What `npm run package` makes: all that runs, and nothing else. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runReportSchema } from '../../src/patrol/report.ts';
import { packedPatrold, runtimePackages } from '../support/packed-patrold.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..');

const WANTED = [
  /^(?:LICENSE|README\.md|package\.json)$/,
  /^bin\/(?:patrold|packaged-node)\.js$/,
  /^dist\/(?:src|signals|findings)\/.+\.js$/,
  /^migrations\/(?:\d{4}_\w+\.sql|meta\/_journal\.json)$/,
  /^deploy\/(?:patrold\.(?:service|sysusers|yaml)|prometheus-rules\.yml|container\.yaml|drop-ins\/[\w-]+\.conf)$/,
  /^docs\/[\w.-]+\.(?:md|json)$/,
  /^scenarios\//,
];

const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();

let packed = '';
beforeAll(() => {
  packed = packedPatrold();
}, 240_000);

/** The package with the packages that it names, and no other: what is imported beside them is not found. */
const installed = (): string => {
  const root = join(temporaryDirectory(), 'patrold');
  cpSync(packed, root, { recursive: true });
  for (const path of runtimePackages()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(join(CHECKOUT, path), join(root, path));
  }
  return root;
};

const run = (root: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(root, 'dist', 'src', 'main.js'), ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  });

test('the package holds what runs, and nothing else', () => {
  expect(filesBelow(packed).filter((path) => !WANTED.some((pattern) => pattern.test(path)))).toEqual([]);
});

test('every source and every migration is in it', () => {
  const sources = ['src', 'signals', 'findings'].flatMap((part) =>
    filesBelow(join(CHECKOUT, part)).map((path) => `dist/${part}/${path.replace(/\.ts$/, '.js')}`),
  );
  const journal = JSON.parse(readFileSync(join(CHECKOUT, 'migrations/meta/_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly tag: string }[];
  };
  const migrations = journal.entries.map(({ tag }) => `migrations/${tag}.sql`);
  const present = new Set(filesBelow(packed));
  expect([...sources, ...migrations].filter((path) => !present.has(path))).toEqual([]);
});

test('it runs with the packages that it names, and sees this machine', () => {
  const root = installed();
  const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as { readonly version: string };
  expect(run(root, '--version').trim()).toBe(version);
  expect(run(root, '--help')).toContain('check-config');
  const report = runReportSchema.parse(JSON.parse(run(root, 'run', '--json', '--data', join(root, 'data'))));
  expect(report.run.state).toBe('completed');
  expect(report.run.coverage?.resources).toBeGreaterThan(0);
}, 60_000);

test('its launcher finds what was built', () => {
  const launcher = join(installed(), 'bin', 'patrold.js');
  expect(execFileSync(process.execPath, [launcher, '--help'], { encoding: 'utf8', timeout: 60_000 })).toContain(
    'serve',
  );
});
