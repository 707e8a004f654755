/** Suppression rules. Removed ones are kept as long as findings are, as a record of who silenced what. */
import type { Category } from '../../signals/detector.ts';
import { asResourceId, type ResourceId } from '../../signals/resource.ts';
import type { Database } from '../../src/runtime/database.ts';
import { and, asc, eq, isNull, lt } from '../../src/runtime/drizzle.ts';
import { suppressions } from '../schema.ts';
import { type Suppression, type SuppressionMatch, type Suppressions, suppressionsOf } from '../suppression.ts';
import { aliased, named, parameters } from './columns.ts';

export interface SuppressionTable {
  insert(rule: Suppression): void;
  /** False: there was no such rule in force. */
  remove(id: string, by: string, nowMs: number): boolean;
  byId(id: string): Suppression | null;
  /** In force, oldest first. */
  all(): readonly Suppression[];
  on(resourceId: ResourceId): Suppressions;
  move(id: string, into: ResourceId): void;
  forgetBefore(beforeMs: number): void;
}

type Row = typeof suppressions.$inferSelect;

export const createSuppressionTable = ({ orm, prepare }: Database): SuppressionTable => {
  const inForce = isNull(suppressions.removedAtMs);
  const insert = prepare(orm.insert(suppressions).values(parameters(suppressions)));
  const on = prepare(
    orm
      .select(aliased(suppressions))
      .from(suppressions)
      .where(and(eq(suppressions.resourceId, named('resourceId')), inForce)),
  );
  return {
    insert: ({ id, resourceId, match, by, reason, createdAtMs }) => {
      const matchValue = match.kind === 'key' ? match.key : match.category;
      insert.run({
        id,
        resourceId,
        matchKind: match.kind,
        matchValue,
        createdBy: by,
        reason,
        createdAtMs,
        removedAtMs: null,
        removedBy: null,
      });
    },
    remove: (id, by, nowMs) =>
      orm
        .update(suppressions)
        .set({ removedAtMs: nowMs, removedBy: by })
        .where(and(eq(suppressions.id, id), inForce))
        .run().changes > 0,
    byId: (id) => {
      const row = orm
        .select()
        .from(suppressions)
        .where(and(eq(suppressions.id, id), inForce))
        .get();
      return row === undefined ? null : fromRow(row);
    },
    all: () =>
      orm
        .select()
        .from(suppressions)
        .where(inForce)
        .orderBy(asc(suppressions.createdAtMs), asc(suppressions.id))
        .all()
        .map(fromRow),
    on: (resourceId) => suppressionsOf(on.all({ resourceId }).map((row) => fromRow(row as Row))),
    move: (id, into) => {
      orm.update(suppressions).set({ resourceId: into }).where(eq(suppressions.id, id)).run();
    },
    forgetBefore: (beforeMs) => {
      orm.delete(suppressions).where(lt(suppressions.removedAtMs, beforeMs)).run();
    },
  };
};

const fromRow = (row: Row): Suppression => ({
  id: row.id,
  resourceId: asResourceId(row.resourceId),
  match: matchOf(row),
  by: row.createdBy,
  reason: row.reason,
  createdAtMs: row.createdAtMs,
});

const matchOf = ({ matchKind, matchValue }: Row): SuppressionMatch =>
  matchKind === 'category' ? { kind: 'category', category: matchValue as Category } : { kind: 'key', key: matchValue };
