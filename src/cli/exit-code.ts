/** What the process says when it ends; public, and in `patrold --help`. */
export const EXIT = {
  fine: 0,
  /** `--fail-on` was met. */
  found: 1,
  /** Wrong usage or config. */
  usage: 2,
  /** `--fail-on-incomplete` was met. */
  incomplete: 3,
  /** The run, or the command, failed. */
  failed: 4,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
