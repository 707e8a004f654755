/** One concept a file, named after it, short enough to be read at once. */
import { expect, test } from 'vitest';
import { CHECKOUT, filesOf, plant } from './source-tree.ts';

const MAX_LINES = 250;
/** A test file is many small independent pieces, and mirrors one file of code however many cases that has. */
const MAX_TEST_LINES = 400;

/** Names that say nothing about what is inside. */
const EMPTY_NAME = /(^|\/)(utils?|helpers?|types?|common|misc|shared|lib)(\/|\.[^/]*$)/;

const isCode = (path: string): boolean =>
  /^(src|signals|findings|bin|bench|test|tools|web)\//.test(path) && /\.[cm]?[jt]sx?$/.test(path);
const isOurs = (path: string): boolean => isCode(path) && !path.startsWith('test/fixtures/');

const tooLong = (root: string): readonly string[] =>
  filesOf(root, isOurs).flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    return lines > (path.endsWith('.test.ts') ? MAX_TEST_LINES : MAX_LINES) ? [`${path} has ${lines} lines`] : [];
  });

const emptyNames = (root: string): readonly string[] =>
  filesOf(root, isOurs).flatMap(({ path }) => (EMPTY_NAME.test(path) ? [path] : []));

test(`no file of code has more than ${MAX_LINES} lines, no test more than ${MAX_TEST_LINES}`, () => {
  expect(tooLong(CHECKOUT)).toEqual([]);
});

test('no file and no directory has a name that says nothing', () => {
  expect(emptyNames(CHECKOUT)).toEqual([]);
});

test('a file that is too long is found, by its lines of text', () => {
  const root = plant({
    'src/a.ts': 'a;\n'.repeat(MAX_LINES),
    'src/b.ts': 'b;\n'.repeat(MAX_LINES + 1),
    'test/a.test.ts': 'a;\n'.repeat(MAX_TEST_LINES),
    'test/b.test.ts': 'b;\n'.repeat(MAX_TEST_LINES + 1),
    'test/fixtures/c.ts': 'c;\n'.repeat(9_999),
    'docs/d.md': 'd\n'.repeat(9_999),
  });
  expect(tooLong(root)).toEqual(['src/b.ts has 251 lines', 'test/b.test.ts has 401 lines']);
});

test('an empty name is found, as a file and as a directory, and not as a part of a name', () => {
  const root = plant({
    'src/agent/utils.ts': '',
    'src/types.ts': '',
    'test/helpers/a.ts': '',
    'src/http/type-provider.ts': '',
    'signals/resource-types.ts': '',
  });
  expect(emptyNames(root)).toEqual(['src/agent/utils.ts', 'src/types.ts', 'test/helpers/a.ts']);
});
