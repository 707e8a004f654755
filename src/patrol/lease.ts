/** The right to execute runs: one holder at a time, over all processes that share the database. */

import type { Database } from '../runtime/database.ts';
import { and, eq } from '../runtime/drizzle.ts';
import type { ProcessIdentity } from '../runtime/process-identity.ts';
import { runLease } from './schema.ts';

export const HEARTBEAT_EVERY_MS = 5_000;
/** Six missed heartbeats: longer than any pause of the event loop that is not a hang. */
export const LEASE_EXPIRES_MS = 30_000;

export interface Lease {
  /** True: held now, by this holder. */
  acquire(nowMs: number): boolean;
  /** False: it was lost, the run must stop. */
  heartbeat(nowMs: number): boolean;
  release(): void;
  /** Who holds it and may still live; null: nobody. */
  holder(nowMs: number): string | null;
}

const NAME = 'run';

export const createLease = (db: Database, holder: string, identity: ProcessIdentity): Lease => {
  const { orm } = db;
  const mine = and(eq(runLease.name, NAME), eq(runLease.holder, holder));
  const current = (): typeof runLease.$inferSelect | undefined =>
    orm.select().from(runLease).where(eq(runLease.name, NAME)).get();
  // A clock that was set back must not make a dead holder immortal: a heartbeat from the future counts as none.
  const isDead = (row: typeof runLease.$inferSelect, nowMs: number): boolean =>
    identity.isAlive(row.process) === false || Math.abs(nowMs - row.heartbeatAtMs) > LEASE_EXPIRES_MS;

  return {
    acquire: (nowMs) =>
      orm.transaction(
        () => {
          const row = current();
          if (row !== undefined && row.holder !== holder && !isDead(row, nowMs)) return false;
          const values = { name: NAME, holder, process: identity.self, heartbeatAtMs: nowMs };
          orm.insert(runLease).values(values).onConflictDoUpdate({ target: runLease.name, set: values }).run();
          return true;
        },
        { behavior: 'immediate' },
      ),
    heartbeat: (nowMs) => orm.update(runLease).set({ heartbeatAtMs: nowMs }).where(mine).run().changes > 0,
    release: () => {
      orm.delete(runLease).where(mine).run();
    },
    holder: (nowMs) => {
      const row = current();
      return row === undefined || isDead(row, nowMs) ? null : row.holder;
    },
  };
};
