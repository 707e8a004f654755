/** Runs code without the powers of root, which no file permission stops. */
const NOBODY = 65_534;

/** Calls `run` as `nobody` when the tests run as root, plainly otherwise. Synchronous: the whole process changes. */
export const asUnprivileged = <T>(run: () => T): T => {
  const { geteuid, seteuid } = process;
  if (geteuid === undefined || seteuid === undefined || geteuid() !== 0) return run();
  seteuid(NOBODY);
  try {
    return run();
  } finally {
    seteuid(0);
  }
};
