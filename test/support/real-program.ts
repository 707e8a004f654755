/** Whether a program that a test needs is there. */
import { execFileSync } from 'node:child_process';

const TIMEOUT_MS = 20_000;

export const works = (file: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(file, args, { stdio: 'ignore', timeout: TIMEOUT_MS });
    return true;
  } catch {
    return false;
  }
};
