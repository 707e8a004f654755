/** The rows of findings: written whole, or only in what a mere look changes. */
import type { ResourceId } from '../../signals/resource.ts';
import type { Database } from '../../src/runtime/database.ts';
import { and, eq, lte, or } from '../../src/runtime/drizzle.ts';
import type { Finding, FindingId } from '../finding.ts';
import { findings } from '../schema.ts';
import { aliased, named, parameters } from './columns.ts';
import { type FindingRow, fromRow, toRow } from './finding-row.ts';

export interface FindingTable {
  insert(finding: Finding): void;
  update(before: Finding, finding: Finding): void;
  remove(id: FindingId): void;
  byIdentity(resourceId: ResourceId, key: string): Finding | null;
  byId(id: FindingId): Finding | null;
  onResource(resourceId: ResourceId): readonly Finding[];
  underRule(suppressionId: string): readonly Finding[];
  foldedUnder(id: FindingId): readonly Finding[];
  waking(nowMs: number): readonly Finding[];
  active(): readonly Finding[];
  /** Active, or closed by hand without confirmation: what reconcile asks for. */
  open(): readonly Finding[];
}

/** What a look may change of an active finding without it being a transition; none of it is in an index. */
const TOUCHED = [
  'title',
  'summary',
  'explanation',
  'clearsWhen',
  'level',
  'details',
  'sourceIds',
  'evidence',
  'declineReason',
  'stale',
  'absence',
  'sinceMs',
  'lastSeenAtMs',
  'lastSignalAtMs',
] as const satisfies readonly (keyof FindingRow)[];

/** Whether both lie in the same place of every index and count. */
const isTouch = (a: Finding, b: Finding): boolean =>
  a.resourceId === b.resourceId &&
  a.key === b.key &&
  a.detector === b.detector &&
  a.severity === b.severity &&
  a.category === b.category &&
  a.state === b.state &&
  a.disposition === b.disposition &&
  a.foldedUnder === b.foldedUnder &&
  a.resolution === b.resolution &&
  a.episode === b.episode &&
  a.investigation === b.investigation &&
  a.lastFix === b.lastFix;

export const createFindingTable = ({ orm, prepare }: Database): FindingTable => {
  const all = parameters(findings);
  const { id: _, ...changeable } = all;
  const touched = Object.fromEntries(TOUCHED.map((column) => [column, all[column]]));
  const select = () => orm.select(aliased(findings)).from(findings).$dynamic();
  const isId = eq(findings.id, named('id'));
  const statements = {
    insert: prepare(orm.insert(findings).values(all)),
    update: prepare(orm.update(findings).set(changeable).where(isId)),
    touch: prepare(orm.update(findings).set(touched).where(isId)),
    remove: prepare(orm.delete(findings).where(isId)),
    byIdentity: prepare(
      select().where(and(eq(findings.resourceId, named('resourceId')), eq(findings.key, named('key')))),
    ),
    byId: prepare(select().where(isId)),
    onResource: prepare(select().where(eq(findings.resourceId, named('resourceId')))),
    underRule: prepare(select().where(eq(findings.suppressionId, named('suppressionId')))),
    foldedUnder: prepare(select().where(eq(findings.foldedUnder, named('id')))),
    waking: prepare(
      select()
        .where(lte(findings.wakesAtMs, named('nowMs')))
        .orderBy(findings.wakesAtMs)
        .limit(MAX_WAKING),
    ),
    active: prepare(select().where(eq(findings.state, 'active'))),
    open: prepare(select().where(or(eq(findings.state, 'active'), eq(findings.awaitsClear, 1)))),
  };
  const one = (row: unknown): Finding | null => (row === undefined ? null : fromRow(row as FindingRow));
  const many = (rows: readonly unknown[]): readonly Finding[] => rows.map((row) => fromRow(row as FindingRow));
  return {
    insert: (finding) => {
      statements.insert.run(toRow(finding));
    },
    update: (before, finding) => {
      statements[isTouch(before, finding) ? 'touch' : 'update'].run(toRow(finding));
    },
    remove: (id) => {
      statements.remove.run({ id });
    },
    byIdentity: (resourceId, key) => one(statements.byIdentity.get({ resourceId, key })),
    byId: (id) => one(statements.byId.get({ id })),
    onResource: (resourceId) => many(statements.onResource.all({ resourceId })),
    underRule: (suppressionId) => many(statements.underRule.all({ suppressionId })),
    foldedUnder: (id) => many(statements.foldedUnder.all({ id })),
    waking: (nowMs) => many(statements.waking.all({ nowMs })),
    active: () => many(statements.active.all()),
    open: () => many(statements.open.all()),
  };
};

/** Snoozes and reminders that one tick handles; the next goes on. */
export const MAX_WAKING = 500;
