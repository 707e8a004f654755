/** Two resources turned out to be one: the findings of the one that goes belong to the one that stays. */
import type { ResourceId } from '../../signals/resource.ts';
import type { Database } from '../../src/runtime/database.ts';
import { and, eq } from '../../src/runtime/drizzle.ts';
import type { Finding } from '../finding.ts';
import { type Entry, patrold } from '../history-entry.ts';
import { findingAliases, suppressions } from '../schema.ts';
import { ofRun, type RunContext } from './context.ts';
import type { FindingWriter } from './finding-writer.ts';
import type { OperatorStateTable } from './operator-state-table.ts';
import type { SuppressionTable } from './suppression-table.ts';

export interface MoverDeps {
  readonly db: Database;
  readonly writer: FindingWriter;
  readonly rules: SuppressionTable;
  readonly states: OperatorStateTable;
}

const moved = (finding: Finding, from: ResourceId, nowMs: number): Entry => ({
  kind: 'moved',
  episode: finding.episode,
  atMs: nowMs,
  actor: patrold,
  reason: 'its resource turned out to be one that is known already',
  data: { from },
});

/** The caller holds the transaction. */
export const createMover = ({ db: { orm }, writer, rules, states }: MoverDeps) => {
  /** The older one goes on; the other one's episodes and history stay readable through an alias. */
  const merge = (moving: Finding, staying: Finding, context: RunContext): void => {
    const [older, younger] = moving.firstSeenAtMs < staying.firstSeenAtMs ? [moving, staying] : [staying, moving];
    const { nowMs } = context;
    const target = staying.resourceId;
    const resolution = { by: 'merged', reason: `merged into ${older.id}`, atMs: nowMs, confirmed: true } as const;
    const ended: Finding = { ...younger, state: 'resolved', resolution, foldedUnder: null, stale: null };
    const entry: Entry = {
      kind: 'merged',
      episode: younger.episode,
      atMs: nowMs,
      actor: patrold,
      reason: null,
      data: { into: older.id },
    };
    writer.write(younger, { ok: true, finding: ended, entries: [entry] }, ofRun(context));
    writer.table.remove(younger.id);
    orm.insert(findingAliases).values({ id: younger.id, findingId: older.id, atMs: nowMs }).run();
    orm.update(findingAliases).set({ findingId: older.id }).where(eq(findingAliases.findingId, younger.id)).run();
    if (older.resourceId !== target) move(older, target, context);
  };
  const move = (finding: Finding, into: ResourceId, context: RunContext): void => {
    const entries = [moved(finding, finding.resourceId, context.nowMs)];
    writer.write(finding, { ok: true, finding: { ...finding, resourceId: into }, entries }, ofRun(context));
  };
  const moveRules = (from: ResourceId, into: ResourceId, nowMs: number): void => {
    const rows = orm
      .select()
      .from(suppressions)
      .where(and(eq(suppressions.resourceId, from)))
      .all();
    for (const { id, matchKind, matchValue, removedAtMs } of rows) {
      const twin = rules
        .all()
        .some(
          ({ resourceId, match }) =>
            resourceId === into &&
            match.kind === matchKind &&
            (match.kind === 'key' ? match.key : match.category) === matchValue,
        );
      if (twin && removedAtMs === null) rules.remove(id, 'patrold', nowMs);
      rules.move(id, into);
    }
  };
  return {
    renameResource: (from: ResourceId, into: ResourceId, context: RunContext): void => {
      for (const finding of writer.table.onResource(from)) {
        const other = writer.table.byIdentity(into, finding.key);
        if (other === null) move(finding, into, context);
        else merge(finding, other, context);
      }
      moveRules(from, into, context.nowMs);
      states.move(from, into, context.nowMs);
    },
  };
};
