/** Past values of metrics, bounded: every one for a day, then one an hour for a fortnight; counters only where they change. */
import type { Remembered, Sample } from '../../signals/history.ts';
import type { ResourceId } from '../../signals/resource.ts';
import type { Database } from '../runtime/database.ts';
import { and, asc, desc, eq, gte, lt, sql } from '../runtime/drizzle.ts';
import { samples } from './schema.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Windows of use metrics are shorter than this; finer values are not needed after it. */
export const FINE_SAMPLES_MS = 26 * HOUR_MS;
/** The longest trend a detector looks at: 30 d ahead, on large volumes, needs 15 d of samples. */
export const COARSE_SAMPLES_MS = 16 * DAY_MS;
/** Counters are judged against what they were; SMART errors of last year still tell a rise from a scar. */
export const COUNTER_SAMPLES_MS = 400 * DAY_MS;
/** A counter that stands still is noted this often all the same, so that its standing still is known. */
const COUNTER_PULSE_MS = DAY_MS;

export interface NewSample extends Remembered {
  readonly resourceId: ResourceId;
  readonly atMs: number;
}

export interface SampleStore {
  /** Oldest first. */
  of(resourceId: ResourceId, metric: string, sinceMs: number): readonly Sample[];
  /** Names of what is kept of one resource, sorted. */
  metricsOf(resourceId: ResourceId): readonly string[];
  /** The caller holds the transaction. */
  write(added: readonly NewSample[]): void;
  /** Two resources are one: their past too. The caller holds the transaction. */
  rename(from: ResourceId, into: ResourceId): void;
  prune(nowMs: number): number;
}

interface SampleRow {
  readonly at_ms: number;
  readonly value: number;
  readonly window_ms: number;
}

export const createSampleStore = (db: Database): SampleStore => {
  const { orm } = db;
  const named = (name: string) => sql.placeholder(name);
  const one = and(eq(samples.resourceId, named('resourceId')), eq(samples.metric, named('metric')));
  const columns = { at_ms: samples.atMs, value: samples.value, window_ms: samples.windowMs };
  const select = db.prepare(
    orm
      .select(columns)
      .from(samples)
      .where(and(one, gte(samples.atMs, named('sinceMs'))))
      .orderBy(asc(samples.atMs)),
  );
  const last = db.prepare(orm.select(columns).from(samples).where(one).orderBy(desc(samples.atMs)).limit(1));
  const insert = db.prepare(
    orm
      .insert(samples)
      .values({
        resourceId: named('resourceId'),
        metric: named('metric'),
        atMs: named('atMs'),
        value: named('value'),
        windowMs: named('windowMs'),
        keep: named('keep'),
      })
      .onConflictDoNothing(),
  );

  const isNews = ({ resourceId, metric, value, atMs }: NewSample): boolean => {
    const before = last.get({ resourceId, metric }) as SampleRow | undefined;
    return before === undefined || before.value !== value || atMs - before.at_ms >= COUNTER_PULSE_MS;
  };

  return {
    of: (resourceId, metric, sinceMs) =>
      (select.all({ resourceId, metric, sinceMs }) as SampleRow[]).map((row) => ({
        atMs: row.at_ms,
        value: row.value,
        windowMs: row.window_ms,
      })),
    metricsOf: (resourceId) =>
      orm
        .selectDistinct({ metric: samples.metric })
        .from(samples)
        .where(eq(samples.resourceId, resourceId))
        .orderBy(asc(samples.metric))
        .all()
        .map(({ metric }) => metric),
    write: (added) => {
      for (const sample of added) {
        if (sample.keep === 'change' && !isNews(sample)) continue;
        const { resourceId, metric, atMs, value, windowMs, keep } = sample;
        insert.run({ resourceId, metric, atMs, value, windowMs, keep });
      }
    },
    rename: (from, into) => {
      orm.run(sql`update or ignore ${samples} set resource_id = ${into} where resource_id = ${from}`);
      orm.delete(samples).where(eq(samples.resourceId, from)).run();
    },
    prune: (nowMs) => {
      const old = (keep: string, beforeMs: number) => and(eq(samples.keep, keep), lt(samples.atMs, nowMs - beforeMs));
      // The hour is written into the statement: a bound number is a float to SQLite, and its division leaves fractions.
      const hour = sql.raw(String(HOUR_MS));
      const notFirstOfItsHour = sql`exists (select 1 from ${samples} h where h.resource_id = ${samples.resourceId}
        and h.metric = ${samples.metric} and h.at_ms >= ${samples.atMs} / ${hour} * ${hour} and h.at_ms < ${samples.atMs})`;
      const fine = sql`(${samples.metric} <> 'space.usedBytes' or ${notFirstOfItsHour})`;
      const thinned = orm
        .delete(samples)
        .where(and(old('every', FINE_SAMPLES_MS), fine))
        .run().changes;
      const dropped = orm.delete(samples).where(old('every', COARSE_SAMPLES_MS)).run().changes;
      return thinned + dropped + orm.delete(samples).where(old('change', COUNTER_SAMPLES_MS)).run().changes;
    },
  };
};
