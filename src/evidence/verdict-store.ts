/** What detectors said last, so that a restart neither repeats a fault nor forgets one. */

import type { Severity, Verdict, VerdictMemory } from '../../signals/detector.ts';
import type { AbsentSubject, Memories } from '../../signals/evaluate.ts';
import type { Merge } from '../../signals/identity.ts';
import { LOOKS_APART_MS } from '../../signals/lasting.ts';
import type { ResourceId } from '../../signals/resource.ts';
import type { Database } from '../runtime/database.ts';
import { and, eq, sql } from '../runtime/drizzle.ts';
import { verdicts } from './schema.ts';

export interface VerdictStore {
  /** `merged`: ids that are one as of this run, whose memories are looked up under the one that stays already. */
  load(merged?: readonly Merge[]): KeptVerdicts;
  /** Keeps what is more than clear and forgets what is clear or gone. The caller holds the transaction. */
  write(before: KeptVerdicts, judged: readonly Verdict[], absent: readonly AbsentSubject[]): void;
  rename(from: ResourceId, into: ResourceId): void;
}

export interface KeptVerdicts extends Memories {
  readonly absence: (subject: AbsentSubject) => Absence;
}

interface Absence {
  readonly looks: number;
  readonly lookAtMs: number;
}

const PRESENT: Absence = { looks: 0, lookAtMs: Number.NEGATIVE_INFINITY };

/** A subject that two whole looks no longer hold is gone (DETECTORS.md rule 12). */
export const LOOKS_UNTIL_GONE = 2;

type Row = typeof verdicts.$inferSelect;

const toMemory = (row: Row): VerdictMemory => ({
  severity: row.severity as Severity | null,
  level: row.level,
  ...(row.trigger === null ? {} : { trigger: row.trigger }),
  sinceMs: row.sinceMs,
  bad:
    row.badSinceMs === null || row.badLastAtMs === null || row.badLooks === null
      ? null
      : { sinceMs: row.badSinceMs, lastAtMs: row.badLastAtMs, looks: row.badLooks },
  seenAtMs: row.seenAtMs,
  ...(row.sourceIds === null ? {} : { sourceIds: JSON.parse(row.sourceIds) as string[] }),
});

/** By resource, then by detector and subject. */
const byName = (rows: readonly Row[], merged: readonly Merge[]): ReadonlyMap<string, ReadonlyMap<string, Row>> => {
  const byResource = new Map<string, Map<string, Row>>();
  for (const row of rows) {
    const own = byResource.get(row.resourceId) ?? new Map<string, Row>();
    byResource.set(row.resourceId, own.set(`${row.detector}\n${row.subject}`, row));
  }
  for (const { from, into } of merged) {
    const moved = byResource.get(from);
    if (moved === undefined) continue;
    byResource.delete(from);
    // What moves takes the place of what is there, as `rename` does it in the table.
    byResource.set(into, new Map([...(byResource.get(into) ?? []), ...moved]));
  }
  return byResource;
};

const byDetector = (rows: Iterable<Row>): ReadonlyMap<string, ReadonlyMap<string, VerdictMemory>> => {
  const detectors = new Map<string, Map<string, VerdictMemory>>();
  for (const row of rows) {
    const subjects = detectors.get(row.detector) ?? new Map<string, VerdictMemory>();
    detectors.set(row.detector, subjects.set(row.subject, toMemory(row)));
  }
  return detectors;
};

const keptFrom = (rows: readonly Row[], merged: readonly Merge[]): KeptVerdicts => {
  const named = byName(rows, merged);
  const memories = new Map([...named].map(([resourceId, own]) => [resourceId, byDetector(own.values())]));
  return {
    of: (detector, resourceId) => memories.get(resourceId)?.get(detector),
    onResource: (resourceId) => memories.get(resourceId),
    absence: ({ detector, resourceId, subject }) => {
      const row = named.get(resourceId)?.get(`${detector}\n${subject}`);
      return row === undefined || row.absentLookAtMs === null
        ? PRESENT
        : { looks: row.absentLooks, lookAtMs: row.absentLookAtMs };
    },
  };
};

const prepare = (db: Database) => {
  const { orm } = db;
  const named = (name: string) => sql.placeholder(name);
  const columns = [
    'detector',
    'resourceId',
    'subject',
    'severity',
    'level',
    'trigger',
    'sinceMs',
    'badSinceMs',
    'badLastAtMs',
    'badLooks',
    'sourceIds',
    'seenAtMs',
  ] as const;
  const values = Object.fromEntries(columns.map((column) => [column, named(column)])) as Record<
    (typeof columns)[number],
    ReturnType<typeof named>
  >;
  const upsert = db.prepare(
    orm
      .insert(verdicts)
      .values({ ...values, absentLooks: 0 })
      .onConflictDoUpdate({
        target: [verdicts.resourceId, verdicts.detector, verdicts.subject],
        set: {
          severity: sql`excluded.severity`,
          level: sql`excluded.level`,
          trigger: sql`excluded.trigger_value`,
          sinceMs: sql`excluded.since_ms`,
          badSinceMs: sql`excluded.bad_since_ms`,
          badLastAtMs: sql`excluded.bad_last_at_ms`,
          badLooks: sql`excluded.bad_looks`,
          sourceIds: sql`excluded.source_ids`,
          seenAtMs: sql`excluded.seen_at_ms`,
          absentLooks: 0,
          absentLookAtMs: null,
        },
      }),
  );
  const one = and(
    eq(verdicts.detector, named('detector')),
    eq(verdicts.resourceId, named('resourceId')),
    eq(verdicts.subject, named('subject')),
  );
  const remove = db.prepare(orm.delete(verdicts).where(one));
  const miss = db.prepare(
    orm
      .update(verdicts)
      .set({ absentLooks: sql`${named('looks')}`, absentLookAtMs: sql`${named('lookAtMs')}` })
      .where(one),
  );
  return { upsert, remove, miss };
};

export const createVerdictStore = (db: Database): VerdictStore => {
  const { orm } = db;
  const { upsert, remove, miss } = prepare(db);

  return {
    load: (merged = []) => keptFrom(orm.select().from(verdicts).all(), merged),
    write: (before, judged, absent) => {
      for (const { detector, resourceId, subject, memory } of judged) {
        const identity = { detector, resourceId, subject: subject ?? '' };
        if (memory === null) {
          if (before.of(detector, resourceId)?.has(identity.subject) === true) remove.run(identity);
          continue;
        }
        const { severity, level, trigger = null, sinceMs, bad, sourceIds, seenAtMs } = memory;
        upsert.run({
          ...identity,
          severity,
          level,
          trigger,
          sinceMs,
          badSinceMs: bad?.sinceMs ?? null,
          badLastAtMs: bad?.lastAtMs ?? null,
          badLooks: bad?.looks ?? null,
          sourceIds: sourceIds === undefined ? null : JSON.stringify(sourceIds),
          seenAtMs,
        });
      }
      for (const { lookAtMs, ...subject } of absent) {
        const known = before.absence({ lookAtMs, ...subject });
        if (lookAtMs - known.lookAtMs < LOOKS_APART_MS) continue;
        if (known.looks + 1 >= LOOKS_UNTIL_GONE) remove.run(subject);
        else miss.run({ ...subject, looks: known.looks + 1, lookAtMs });
      }
    },
    rename: (from, into) => {
      orm.run(sql`update or replace ${verdicts} set resource_id = ${into} where resource_id = ${from}`);
    },
  };
};
