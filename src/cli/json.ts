/** One document on stdout, for programs: two spaces for people who look, one line break at the end. */
import type { Terminal } from './terminal.ts';

export const printJson = (terminal: Terminal, value: unknown): void => {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`);
};
