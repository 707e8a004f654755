/** Whether patrold can do its work: migrated, scheduled, its store writable. */
import type { Clock } from '../runtime/clock.ts';
import type { Database } from '../runtime/database.ts';
import { databaseError } from '../runtime/database-error.ts';
import { sql } from '../runtime/drizzle.ts';
import { ERROR_CODES, PatroldError } from '../runtime/errors.ts';

export interface ReadinessCheck {
  readonly name: string;
  /** Null: it is. Throwing says no, too. */
  whyNot(): string | null;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ready: boolean; readonly reason: string | null }[];
}

const ask = ({ name, whyNot }: ReadinessCheck): Readiness['checks'][number] => {
  try {
    const reason = whyNot();
    return { name, ready: reason === null, reason };
  } catch {
    return { name, ready: false, reason: 'it can not be told' };
  }
};

/** How long an answer holds: whoever asks more often costs nothing. */
export const READINESS_HOLDS_MS = 1_000;

export const createReadiness = (
  checks: readonly ReadinessCheck[],
  clock: Pick<Clock, 'monotonicMs'>,
): (() => Readiness) => {
  let last: { readonly atMs: number; readonly readiness: Readiness } | undefined;
  return () => {
    const atMs = clock.monotonicMs();
    if (last === undefined || atMs - last.atMs >= READINESS_HOLDS_MS) {
      const asked = checks.map(ask);
      last = { atMs, readiness: { ready: asked.every(({ ready }) => ready), checks: asked } };
    }
    return last.readiness;
  };
};

/** How often the store is really written to, which makes the disk work. */
export const WRITE_PROBE_EVERY_MS = 10_000;

/** A commit that changes nothing: SQLite writes it to the log and to the disk as it does any other. */
const writeProbe = ({ orm }: Database): void => {
  orm.transaction(
    () => {
      const [[version = 0] = []] = orm.values<[number]>(sql`PRAGMA user_version`);
      orm.run(sql.raw(`PRAGMA user_version = ${Number(version)}`));
    },
    { behavior: 'immediate' },
  );
};

export const storeCheck = (db: Database, clock: Pick<Clock, 'monotonicMs'>): ReadinessCheck => {
  let last: { readonly atMs: number; readonly reason: string | null } | undefined;
  const probe = (): string | null => {
    try {
      writeProbe(db);
      return null;
    } catch (error) {
      // By its code alone: whoever asks has shown no token.
      const coded = databaseError(error, db.path);
      return coded instanceof PatroldError ? ERROR_CODES[coded.code].meaning : 'The store can not be written.';
    }
  };
  return {
    name: 'store',
    whyNot: () => {
      const atMs = clock.monotonicMs();
      // A failure is looked at again at once: what was repaired should show.
      if (last === undefined || last.reason !== null || atMs - last.atMs >= WRITE_PROBE_EVERY_MS) {
        last = { atMs, reason: probe() };
      }
      return last.reason;
    },
  };
};
