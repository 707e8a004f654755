/** Resources and their names, as the database keeps them between runs. */
import type { Alias } from '../../signals/identity/alias.ts';
import { createKnownIdentities, type KnownIdentities } from '../../signals/identity/known.ts';
import {
  asResourceId,
  type Facts,
  type Resource,
  type ResourceId,
  type ResourceKind,
  type ResourceStatus,
} from '../../signals/resource.ts';
import type { Database } from '../runtime/database.ts';
import { eq, sql } from '../runtime/drizzle.ts';
import { aliases, resources } from './schema.ts';

/** A resource as it was when it was last seen. */
export interface KeptResource extends Omit<Resource, 'presence'> {
  readonly seenAtMs: number;
  readonly absentLooks: number;
  readonly goneAtMs: number | null;
}

export interface Inventory {
  readonly resources: ReadonlyMap<ResourceId, KeptResource>;
  readonly known: KnownIdentities;
  /** When each hint was confirmed last, to within a day. */
  readonly hintsSeenAtMs: ReadonlyMap<string, number>;
}

const DAY_MS = 86_400_000;
/** A hint that its resource was seen without for this long named something that passes: a boot, a device letter. */
export const HINT_KEPT_MS = 90 * DAY_MS;
/** Confirmations are noted this often: more would write every name in every run. */
const CONFIRM_EVERY_MS = DAY_MS;

/** What one run changes; written in the run's own transaction. */
export interface InventoryChange {
  readonly seen: readonly Resource[];
  readonly aliases: readonly Alias[];
  /** Kept hints that held once more, and when they did before. */
  readonly confirmed?: readonly { readonly key: string; readonly seenAtMs: number }[];
  readonly absent: readonly { readonly id: ResourceId; readonly absentLooks: number; readonly gone: boolean }[];
  readonly merged: readonly { readonly from: ResourceId; readonly into: ResourceId }[];
}

export interface InventoryStore {
  load(): Inventory;
  /** The caller holds the transaction. */
  write(change: InventoryChange, nowMs: number): void;
  /** Forgets resources that are gone since before `goneBeforeMs`, and names that nothing uses any more. */
  prune(goneBeforeMs: number): number;
}

type Row = typeof resources.$inferSelect;

const fromRow = (row: Row): KeptResource => ({
  id: asResourceId(row.id),
  kind: row.kind as ResourceKind,
  name: row.name,
  parentId: row.parentId === null ? null : asResourceId(row.parentId),
  status: row.status as ResourceStatus,
  sourceIds: JSON.parse(row.sourceIds) as string[],
  tags: JSON.parse(row.tags) as string[],
  expects: JSON.parse(row.expects) as string[],
  facts: JSON.parse(row.facts) as Facts,
  seenAtMs: row.seenAtMs,
  absentLooks: row.absentLooks,
  goneAtMs: row.goneAtMs,
});

const identitiesOf = (
  kept: readonly KeptResource[],
  aliasRows: readonly { readonly key: string; readonly id: string; readonly strength: string }[],
): KnownIdentities =>
  createKnownIdentities({
    aliases: aliasRows.map(({ key, id, strength }) => ({
      key,
      id: asResourceId(id),
      strength: strength as Alias['strength'],
    })),
    resources: kept
      .filter(({ goneAtMs }) => goneAtMs === null)
      .map((resource) => ({ ...resource, presence: 'remembered' as const })),
    goneIds: kept.filter(({ goneAtMs }) => goneAtMs !== null).map(({ id }) => id),
  });

const prepareUpsert = ({ orm, prepare: prepareStatement }: Database) => {
  const named = (name: string) => sql.placeholder(name);
  return prepareStatement(
    orm
      .insert(resources)
      .values({
        id: named('id'),
        kind: named('kind'),
        name: named('name'),
        parentId: named('parentId'),
        status: named('status'),
        sourceIds: named('sourceIds'),
        tags: named('tags'),
        expects: named('expects'),
        facts: named('facts'),
        firstSeenAtMs: named('nowMs'),
        seenAtMs: named('nowMs'),
        absentLooks: 0,
        goneAtMs: null,
      })
      .onConflictDoUpdate({
        target: resources.id,
        set: {
          kind: sql`excluded.kind`,
          name: sql`excluded.name`,
          parentId: sql`excluded.parent_id`,
          status: sql`excluded.status`,
          sourceIds: sql`excluded.source_ids`,
          tags: sql`excluded.tags`,
          expects: sql`excluded.expects`,
          facts: sql`excluded.facts`,
          seenAtMs: sql`excluded.seen_at_ms`,
          absentLooks: 0,
          goneAtMs: null,
        },
      }),
  );
};

const prepare = (db: Database) => {
  const { orm } = db;
  const named = (name: string) => sql.placeholder(name);
  const upsert = prepareUpsert(db);
  const absent = db.prepare(
    orm
      .update(resources)
      .set({ absentLooks: sql`${named('absentLooks')}`, goneAtMs: sql`${named('goneAtMs')}` })
      .where(eq(resources.id, named('id'))),
  );
  const alias = db.prepare(
    orm
      .insert(aliases)
      .values({
        key: named('key'),
        resourceId: named('resourceId'),
        strength: named('strength'),
        seenAtMs: named('nowMs'),
      })
      .onConflictDoUpdate({
        target: aliases.key,
        set: {
          resourceId: sql`excluded.resource_id`,
          strength: sql`excluded.strength`,
          seenAtMs: sql`excluded.seen_at_ms`,
        },
      }),
  );
  const forget = db.prepare(orm.delete(resources).where(eq(resources.id, named('id'))));
  const redirect = db.prepare(
    orm
      .update(aliases)
      .set({ resourceId: sql`${named('into')}` })
      .where(eq(aliases.resourceId, named('from'))),
  );
  const confirm = db.prepare(
    orm
      .update(aliases)
      .set({ seenAtMs: sql`${named('nowMs')}` })
      .where(eq(aliases.key, named('key'))),
  );
  return { upsert, absent, alias, forget, redirect, confirm };
};

export const createInventoryStore = (db: Database): InventoryStore => {
  const { orm } = db;
  const { upsert, absent, alias, forget, redirect, confirm } = prepare(db);

  const write = (change: InventoryChange, nowMs: number): void => {
    for (const { from, into } of change.merged) {
      redirect.run({ from, into });
      forget.run({ id: from });
    }
    for (const resource of change.seen) {
      upsert.run({
        id: resource.id,
        kind: resource.kind,
        name: resource.name,
        parentId: resource.parentId,
        status: resource.status,
        sourceIds: JSON.stringify(resource.sourceIds),
        tags: JSON.stringify(resource.tags),
        expects: JSON.stringify(resource.expects),
        facts: JSON.stringify(resource.facts),
        nowMs,
      });
    }
    for (const { id, absentLooks, gone } of change.absent)
      absent.run({ id, absentLooks, goneAtMs: gone ? nowMs : null });
    for (const { key, id, strength } of change.aliases) alias.run({ key, resourceId: id, strength, nowMs });
    for (const { key, seenAtMs } of change.confirmed ?? [])
      if (Math.abs(nowMs - seenAtMs) >= CONFIRM_EVERY_MS) confirm.run({ key, nowMs });
  };

  return {
    load: () => {
      const kept = orm.select().from(resources).all().map(fromRow);
      const { key, resourceId: id, strength, seenAtMs } = aliases;
      const rows = orm.select({ key, id, strength, seenAtMs }).from(aliases).all();
      const hints = rows.filter((row) => row.strength === 'hint');
      return {
        resources: new Map(kept.map((resource) => [resource.id, resource])),
        known: identitiesOf(kept, rows),
        hintsSeenAtMs: new Map(hints.map((row) => [row.key, row.seenAtMs])),
      };
    },
    write,
    prune: (goneBeforeMs) => {
      const { changes } = orm.delete(resources).where(sql`${resources.goneAtMs} < ${goneBeforeMs}`).run();
      orm.delete(aliases).where(sql`${aliases.resourceId} not in (select ${resources.id} from ${resources})`).run();
      // Counted by when the resource was seen: one whose source is silent keeps all its names.
      const seenSince = sql`(select r.seen_at_ms from ${resources} r where r.id = ${aliases.resourceId})`;
      orm
        .delete(aliases)
        .where(sql`${aliases.strength} = 'hint' and ${seenSince} - ${aliases.seenAtMs} > ${HINT_KEPT_MS}`)
        .run();
      return changes;
    },
  };
};
