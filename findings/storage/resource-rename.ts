/** When two resources prove to be one, or one gets another id: everything about it moves, with its history. */
import type { ResourceId } from '../../signals/resource.ts';
import type { Database } from '../../src/runtime/database.ts';
import { eq } from '../../src/runtime/drizzle.ts';
import type { Finding } from '../finding.ts';
import { patrold } from '../history-entry.ts';
import { mergeFindings, olderFirst, refolded } from '../merge.ts';
import { findingAliases } from '../schema.ts';
import { entry, step } from '../step.ts';
import { suppresses } from '../suppression.ts';
import { ofRun, type RunContext, type WriteContext } from './context.ts';
import type { FindingWriter } from './finding-writer.ts';
import type { OperatorStateStore } from './operator-state-store.ts';
import type { SuppressionTable } from './suppression-table.ts';
import type { InTransaction } from './transaction.ts';

export interface RenameDeps {
  readonly db: Database;
  readonly transact: InTransaction;
  readonly writer: FindingWriter;
  readonly suppressions: SuppressionTable;
  readonly operatorStates: OperatorStateStore;
}

export type RenameResource = (from: ResourceId, into: ResourceId, context: RunContext) => void;

export const createResourceRename = ({
  db,
  transact,
  writer,
  suppressions,
  operatorStates,
}: RenameDeps): RenameResource => {
  const { table, episodes, history } = writer;
  const { orm } = db;

  const move = (finding: Finding, into: ResourceId, context: WriteContext): void => {
    const moved = entry('moved', finding, context.nowMs, patrold, null, { from: finding.resourceId, into });
    writer.write(finding, step({ ...finding, resourceId: into }, moved), context);
  };

  const merge = (a: Finding, b: Finding, into: ResourceId, context: WriteContext): void => {
    const [older, younger] = olderFirst(a, b);
    const { survivor, ended } = mergeFindings(older, younger, context.nowMs);
    episodes.follow(younger, ended.finding);
    history.append(younger.id, ended.entries, context);
    table.remove(younger.id);
    // Its episodes, evidence and history stay under its own id, which from now on leads here.
    orm.update(findingAliases).set({ findingId: older.id }).where(eq(findingAliases.findingId, younger.id)).run();
    orm.insert(findingAliases).values({ id: younger.id, findingId: older.id, atMs: context.nowMs }).run();
    writer.write(older, { ...survivor, finding: { ...survivor.finding, resourceId: into } }, context);
    for (const folded of table.foldedUnder(younger.id)) table.update(folded, refolded(folded, younger.id, older.id));
  };

  const moveRules = (from: ResourceId, into: ResourceId, context: WriteContext): void => {
    const there = suppressions.all().filter(({ resourceId }) => resourceId === into);
    for (const rule of suppressions.all().filter(({ resourceId }) => resourceId === from)) {
      const same = there.find(({ match }) => JSON.stringify(match) === JSON.stringify(rule.match));
      if (same === undefined) suppressions.move(rule.id, into);
      else {
        suppressions.remove(rule.id, 'patrold', context.nowMs);
        for (const finding of table.underRule(rule.id)) {
          if (finding.disposition.kind !== 'suppressed') continue;
          table.update(finding, { ...finding, disposition: { ...finding.disposition, suppressionId: same.id } });
        }
      }
    }
    cover(into, context);
  };

  /** Rules that moved here silence what was here before. */
  const cover = (into: ResourceId, context: WriteContext): void => {
    const rules = suppressions.all().filter(({ resourceId }) => resourceId === into);
    for (const finding of table.onResource(into)) {
      const rule = rules.find((one) => suppresses(one, finding));
      if (rule === undefined) continue;
      writer.apply(
        finding.id,
        { kind: 'suppressed', suppressionId: rule.id, actor: patrold, reason: rule.reason },
        context,
      );
    }
  };

  return (from, into, context) => {
    if (from === into) return;
    transact(() => {
      const write = ofRun(context);
      for (const finding of table.onResource(from)) {
        const other = table.byIdentity(into, finding.key);
        if (other === null) move(finding, into, write);
        else merge(finding, other, into, write);
      }
      moveRules(from, into, write);
      operatorStates.move(from, into, context.nowMs);
    });
  };
};
