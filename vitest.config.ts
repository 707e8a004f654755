import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    restoreMocks: true,
    unstubEnvs: true,
    passWithNoTests: true,
    // .ci/run asks for a report to count from.
    reporters: process.env['TEST_REPORT_FILE'] ? ['default', 'json'] : ['default'],
    outputFile: { json: process.env['TEST_REPORT_FILE'] ?? 'coverage/tests.json' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'signals/**/*.ts', 'findings/**/*.ts'],
      reporter: ['text-summary', 'html'],
      reportsDirectory: 'coverage',
    },
  },
});
