/**
 * Prints `N passed, N failed` and, when there are any, `, N skipped`, from vitest's JSON report; exits 1 when anything
 * failed, or was skipped while `CI=true`.
 *
 * node .ci/count.mjs <report> <number of earlier steps that failed>
 */
import { readFileSync } from 'node:fs';

const [, , reportPath, brokenSteps] = process.argv;

/** Without a report nothing is known to have passed, which is one failure. */
const readCounts = () => {
  try {
    const report = JSON.parse(readFileSync(reportPath, 'utf8'));
    const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests } = report;
    // A file that can't even be loaded has no tests that could fail.
    const brokenFiles = report.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    ).length;
    const failed = numFailedTests + brokenFiles;
    // An error outside of any test fails the whole run.
    return { passed, failed: failed === 0 && !report.success ? 1 : failed, skipped: numPendingTests + numTodoTests };
  } catch (error) {
    console.error(`no report of the tests: ${error.message}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
};

const { passed, failed: failedTests, skipped } = readCounts();
const failed = failedTests + Number(brokenSteps);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 || (skipped > 0 && process.env.CI === 'true') ? 1 : 0;
