/** Resources as they are shown: by page, by id, with what lies below them. Reads the inventory and never changes it. */
import type { Severity } from '../../signals/detector.ts';
import { formerIdKey } from '../../signals/identity/alias.ts';
import {
  asResourceId,
  type Facts,
  type ResourceId,
  type ResourceKind,
  type ResourceStatus,
  type SourceId,
} from '../../signals/resource.ts';
import type { Database } from '../runtime/database.ts';
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from '../runtime/drizzle.ts';
import { aliases, resources, verdicts } from './schema.ts';

/** A resource as it was when it was last seen. */
export interface ShownResource {
  readonly id: ResourceId;
  readonly kind: ResourceKind;
  readonly name: string;
  readonly parentId: ResourceId | null;
  readonly status: ResourceStatus;
  readonly sourceIds: readonly SourceId[];
  readonly tags: readonly string[];
  readonly expects: readonly string[];
  readonly facts: Facts;
  readonly firstSeenAtMs: number;
  readonly seenAtMs: number;
  /** Null: it is still there, as far as anybody knows. */
  readonly goneAtMs: number | null;
}

export interface ResourceQuery {
  readonly kinds?: readonly ResourceKind[] | undefined;
  readonly statuses?: readonly ResourceStatus[] | undefined;
  readonly sourceId?: string | undefined;
  readonly tag?: string | undefined;
  readonly parentId?: string | undefined;
  /** Part of the name or the id. */
  readonly text?: string | undefined;
  readonly gone: boolean;
  /** By id; those after this one. */
  readonly afterId?: string | undefined;
  readonly limit: number;
}

/** What a detector last raised there. */
export interface RaisedCheck {
  readonly detector: string;
  readonly subject: string | null;
  readonly severity: Severity;
  readonly sinceMs: number;
  readonly seenAtMs: number;
}

export interface ResourceReader {
  list(query: ResourceQuery): readonly ShownResource[];
  count(query: Omit<ResourceQuery, 'afterId' | 'limit'>): number;
  /** Also by an id that it had once. */
  get(id: string): ShownResource | null;
  /** Names and kinds of those that are known, by id. */
  named(ids: readonly ResourceId[]): ReadonlyMap<ResourceId, Pick<ShownResource, 'name' | 'kind'>>;
  raised(id: ResourceId): readonly RaisedCheck[];
}

const fromRow = (row: typeof resources.$inferSelect): ShownResource => ({
  id: asResourceId(row.id),
  kind: row.kind as ResourceKind,
  name: row.name,
  parentId: row.parentId === null ? null : asResourceId(row.parentId),
  status: row.status as ResourceStatus,
  sourceIds: JSON.parse(row.sourceIds) as string[],
  tags: JSON.parse(row.tags) as string[],
  expects: JSON.parse(row.expects) as string[],
  facts: JSON.parse(row.facts) as Facts,
  firstSeenAtMs: row.firstSeenAtMs,
  seenAtMs: row.seenAtMs,
  goneAtMs: row.goneAtMs,
});

const holds = (column: typeof resources.tags | typeof resources.sourceIds, value: string): SQL =>
  sql`exists (select 1 from json_each(${column}) where json_each.value = ${value})`;

/** ASCII letters of either case, as SQLite folds them. */
const contains = (text: string): SQL | undefined =>
  or(sql`instr(lower(${resources.name}), lower(${text})) > 0`, sql`instr(lower(${resources.id}), lower(${text})) > 0`);

const wherePart = <T>(value: T | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
  value === undefined ? undefined : condition(value);

const conditionOf = (query: Omit<ResourceQuery, 'limit'>): SQL | undefined =>
  and(
    query.gone ? isNotNull(resources.goneAtMs) : isNull(resources.goneAtMs),
    wherePart(query.kinds, (kinds) => inArray(resources.kind, [...kinds])),
    wherePart(query.statuses, (statuses) => inArray(resources.status, [...statuses])),
    wherePart(query.sourceId, (id) => holds(resources.sourceIds, id)),
    wherePart(query.tag, (tag) => holds(resources.tags, tag)),
    wherePart(query.parentId, (id) => eq(resources.parentId, id)),
    wherePart(query.text, contains),
    wherePart(query.afterId, (id) => gt(resources.id, id)),
  );

export const createResourceReader = ({ orm }: Database): ResourceReader => {
  const byId = (id: string): ShownResource | null => {
    const row = orm.select().from(resources).where(eq(resources.id, id)).get();
    return row === undefined ? null : fromRow(row);
  };
  const byFormerId = (id: string): ShownResource | null => {
    const alias = orm
      .select({ id: aliases.resourceId })
      .from(aliases)
      .where(eq(aliases.key, formerIdKey(id)))
      .get();
    return alias === undefined ? null : byId(alias.id);
  };
  return {
    list: (query) =>
      orm
        .select()
        .from(resources)
        .where(conditionOf(query))
        .orderBy(asc(resources.id))
        .limit(query.limit)
        .all()
        .map(fromRow),
    count: (query) => orm.select({ total: count() }).from(resources).where(conditionOf(query)).get()?.total ?? 0,
    get: (id) => byId(id) ?? byFormerId(id),
    named: (ids) => {
      const rows = orm
        .select({ id: resources.id, name: resources.name, kind: resources.kind })
        .from(resources)
        .where(inArray(resources.id, [...new Set(ids)]))
        .all();
      return new Map(rows.map(({ id, name, kind }) => [asResourceId(id), { name, kind: kind as ResourceKind }]));
    },
    raised: (id) =>
      orm
        .select()
        .from(verdicts)
        .where(and(eq(verdicts.resourceId, id), isNotNull(verdicts.severity)))
        .orderBy(asc(verdicts.detector), asc(verdicts.subject))
        .all()
        .map(({ detector, subject, severity, sinceMs, seenAtMs }) => ({
          detector,
          subject: subject === '' ? null : subject,
          severity: severity as Severity,
          sinceMs,
          seenAtMs,
        })),
  };
};
