/** A directory for one test, gone after it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const temporaryDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'patrold-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};
