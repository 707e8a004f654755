import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const count = (report: string | object | null, brokenSteps = 0, env: Readonly<Record<string, string>> = {}) => {
  const path = join(temporaryDirectory(), 'tests.json');
  if (report !== null) writeFileSync(path, typeof report === 'string' ? report : JSON.stringify(report));
  const { stdout, status } = spawnSync(process.execPath, [join(ROOT, '.ci', 'count.mjs'), path, String(brokenSteps)], {
    encoding: 'utf8',
    env,
  });
  return { line: stdout, status };
};

const report = (counts: object = {}) => ({
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  success: true,
  testResults: [],
  ...counts,
});

const UNLOADABLE = { status: 'failed', assertionResults: [] };

test.each([
  ['all passed', report(), 0, {}, '5 passed, 0 failed\n', 0],
  ['one failed', report({ numFailedTests: 1, success: false }), 0, {}, '5 passed, 1 failed\n', 1],
  ['a skip is counted', report({ numPendingTests: 2 }), 0, {}, '5 passed, 0 failed, 2 skipped\n', 0],
  ['a test to do is a skip', report({ numTodoTests: 1 }), 0, {}, '5 passed, 0 failed, 1 skipped\n', 0],
  [
    'a skip fails under CI=true',
    report({ numPendingTests: 2 }),
    0,
    { CI: 'true' },
    '5 passed, 0 failed, 2 skipped\n',
    1,
  ],
  ['all passed under CI=true', report(), 0, { CI: 'true' }, '5 passed, 0 failed\n', 0],
  ['an earlier step failed', report(), 1, {}, '5 passed, 1 failed\n', 1],
  ['a file did not load', report({ success: false, testResults: [UNLOADABLE] }), 0, {}, '5 passed, 1 failed\n', 1],
  ['an error outside of tests', report({ success: false }), 0, {}, '5 passed, 1 failed\n', 1],
  ['there were no tests', report({ numPassedTests: 0 }), 0, {}, '0 passed, 0 failed\n', 1],
  ['there is no report', null, 0, {}, '0 passed, 1 failed\n', 1],
  ['the report was cut off', '{"numPassedTests": 5', 0, {}, '0 passed, 1 failed\n', 1],
] as const)('the last line and the exit code tell that %s', (_title, given, brokenSteps, env, line, status) => {
  expect(count(given, brokenSteps, env)).toEqual({ line, status });
});
