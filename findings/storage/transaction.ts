/** One short write transaction: it takes the write lock at once, so that what it read is still so when it writes. */
import type { Database } from '../../src/runtime/database.ts';

export type InTransaction = <T>(run: () => T) => T;

export const inTransaction =
  ({ orm }: Database): InTransaction =>
  (run) =>
    orm.transaction(run, { behavior: 'immediate' });
