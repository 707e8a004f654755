/** Arguments, environment and the wall clock are read in one place; the pure parts read nothing at all. */
import ts from 'typescript';
import { expect, test } from 'vitest';
import { CHECKOUT, filesOf, plant, type SourceFile } from './source-tree.ts';

interface Rule {
  readonly read: string;
  readonly allowedIn: readonly string[];
  matches(node: ts.Node): boolean;
}

const isCallOf = (node: ts.Node, name: string): boolean =>
  ts.isCallExpression(node) && node.expression.getText() === name;
const isProperty = (node: ts.Node, name: string): boolean =>
  ts.isPropertyAccessExpression(node) && node.getText().replaceAll(/\s|\?/g, '').endsWith(name);

const CLOCK = ['src/main.ts', 'src/runtime/clock.ts'];

const RULES: readonly Rule[] = [
  { read: 'process.env', allowedIn: ['src/main.ts'], matches: (node) => isProperty(node, 'process.env') },
  { read: 'process.argv', allowedIn: ['src/main.ts'], matches: (node) => isProperty(node, 'process.argv') },
  { read: 'Date.now()', allowedIn: CLOCK, matches: (node) => isProperty(node, 'Date.now') },
  {
    read: 'new Date()',
    allowedIn: CLOCK,
    matches: (node) =>
      (ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0) ||
      isCallOf(node, 'Date'),
  },
  {
    // Its members could be imported one by one, past the rules above.
    read: 'node:process',
    allowedIn: ['src/main.ts'],
    matches: (node) => ts.isImportDeclaration(node) && /^['"](node:)?process['"]$/.test(node.moduleSpecifier.getText()),
  },
];

const violationsIn = ({ path, text }: SourceFile): readonly string[] => {
  const found: string[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    for (const { read, allowedIn, matches } of RULES) {
      if (allowedIn.includes(path) || !matches(node)) continue;
      found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} reads ${read}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

const violations = (root: string): readonly string[] =>
  filesOf(root, (path) => /^(src|signals|findings)\/.*\.ts$/.test(path)).flatMap(violationsIn);

test('environment, arguments and the wall clock are read in main and in the clock alone', () => {
  expect(violations(CHECKOUT)).toEqual([]);
});

test('each way to read them elsewhere is found', () => {
  const root = plant({
    'findings/a.ts': 'export const a = Date.now();',
    'signals/b.ts': 'export const b = new Date();\nexport const c = Date();',
    'src/config/d.ts': "export const d = process.env['HOME'];\nexport const e = process . argv;",
    'src/http/f.ts': "export const f = globalThis.process.env;\nimport { env } from 'node:process';",
    'src/patrol/g.ts': 'export const g = { now: Date.now };',
  });
  expect(violations(root)).toEqual([
    'findings/a.ts:1 reads Date.now()',
    'signals/b.ts:1 reads new Date()',
    'signals/b.ts:2 reads new Date()',
    'src/config/d.ts:1 reads process.env',
    'src/config/d.ts:2 reads process.argv',
    'src/http/f.ts:1 reads process.env',
    'src/http/f.ts:2 reads node:process',
    'src/patrol/g.ts:1 reads Date.now()',
  ]);
});

test('main, the clock, a given instant, comments and texts are left alone', () => {
  const root = plant({
    'src/main.ts': 'export const all = [process.env, process.argv, Date.now(), new Date()];',
    'src/runtime/clock.ts': 'export const now = () => Date.now();',
    'src/runtime/format.ts':
      "// Date.now() is not read here\nexport const iso = (ms: number) => new Date(ms).toISOString() + 'process.env';",
    'test/a.test.ts': 'Date.now();',
    'bench/main.ts': 'process.argv;',
  });
  expect(violations(root)).toEqual([]);
});
