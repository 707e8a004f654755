/** What people read holds: links lead somewhere, commands exist, configs are taken. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { detectors } from '../../signals/detectors/index.ts';
import { createProgram } from '../../src/cli/program.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createConfigSchema } from '../../src/config/schema.ts';
import { backupsSource } from '../../src/sources/backups/backups-source.ts';
import { checksSource } from '../../src/sources/checks/checks-source.ts';
import { sourceDefinitions } from '../../src/sources/index.ts';
import { CHECKOUT, filesOf } from './source-tree.ts';

const pages = filesOf(CHECKOUT, (path) => /^(README|SECURITY|docs\/[\w/-]+)\.md$/.test(path));

/** As GitHub makes them. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

test('every link leads to a page, and to a heading of it', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([link, target = '', anchor]) => {
      const file = target === '' ? path : join(dirname(path), target);
      if (!existsSync(join(CHECKOUT, file))) return [`${path}: ${link}`];
      if (anchor === undefined || anchorsOf(readFileSync(join(CHECKOUT, file), 'utf8')).includes(anchor)) return [];
      return [`${path}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('every path of ours that a page names is there', () => {
  const missing = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:src|test|deploy|signals|findings|docs|bin|tools)\/[\w./-]*\w\/?)`/g)].flatMap(
      ([, named = '']) => (existsSync(join(CHECKOUT, named)) ? [] : [`${path}: ${named}`]),
    ),
  );
  expect(missing).toEqual([]);
});

const longOptions = (command: Command): readonly string[] => command.options.flatMap(({ long }) => long ?? []);

/** The first word that names neither a command nor an option of it; null: all do. */
const wrongIn = (words: readonly string[]): string | null => {
  let command = createProgram('', () => Promise.resolve());
  const known = new Set(longOptions(command));
  for (const word of words) {
    // What follows a command without others below it are its arguments.
    if (command.commands.length === 0 || word.startsWith('-')) break;
    const next = command.commands.find((child) => child.name() === word);
    if (next === undefined) return word;
    command = next;
    for (const option of longOptions(command)) known.add(option);
  }
  // `findings --severity` is `findings list --severity`.
  for (const child of command.commands) for (const option of longOptions(child)) known.add(option);
  return words.find((word) => word.startsWith('--') && !known.has(word)) ?? null;
};

test('a command or an option that there is none of is found', () => {
  expect(wrongIn(['findings', 'snooze', 'x', '--for', '2d'])).toBeNull();
  expect(wrongIn(['findings', '--severity', 'critical'])).toBeNull();
  expect(wrongIn(['findings', 'snoze', 'x'])).toBe('snoze');
  expect(wrongIn(['run', '--quite'])).toBe('--quite');
});

/** Spans of code, and lines of blocks that are typed into a shell. */
const typedIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/```(?:sh|console)\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n')),
  ...[...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span),
];

const PREFIX = /^(?:\$ |sudo -u patrold |docker compose exec patrold )?patrold /;

test('every command that a page names exists, with the options that it is given', () => {
  const wrong = pages.flatMap(({ path, text }) =>
    typedIn(text).flatMap((line) => {
      if (!PREFIX.test(line)) return [];
      const [command = ''] = line.replace(PREFIX, '').split(/ [#|>]/);
      const bad = command.startsWith('help ') ? null : wrongIn(command.split(/[ =]+/).filter((word) => word !== ''));
      return bad === null ? [] : [`${path}: ${line}: ${bad}`];
    }),
  );
  expect(wrong).toEqual([]);
});

const schema = createConfigSchema({
  sources: sourceDefinitions,
  checks: checksSource.configSchema,
  backups: backupsSource.configSchema,
  detectors,
});

/** Pages about Prometheus have YAML of its own. */
const isOurs = (yaml: string): boolean => !/^(?:scrape_configs|services|groups):/m.test(yaml);

const configs = [
  ...pages.flatMap(({ path, text }) =>
    [...text.matchAll(/```yaml\n([\s\S]*?)```/g)]
      .map(([, yaml = '']) => [path, yaml] as const)
      .filter(([, yaml]) => isOurs(yaml)),
  ),
  ...['deploy/patrold.yaml', 'deploy/container.yaml'].map(
    (path) => [path, readFileSync(join(CHECKOUT, path), 'utf8')] as const,
  ),
];

test.each(configs)('the config in %s is taken', (path, text) => {
  const file = { path: join(CHECKOUT, path), text, readableByOthers: false };
  const result = loadConfig({ file, env: {}, flags: [], schema, check: () => [] });
  expect(result.kind === 'refused' ? result.problems : []).toEqual([]);
});
