/** What a run, or time alone, makes of findings that are known. */
import type { Finding } from '../finding.ts';
import { type FoldInput, fold } from '../fold.ts';
import type { Entry } from '../history-entry.ts';
import type { Change } from '../reconcile.ts';
import { ofRun, type RunContext } from './context.ts';
import type { FindingWriter } from './finding-writer.ts';
import type { InTransaction } from './transaction.ts';

export interface Applied {
  readonly finding: Finding;
  /** Empty: nothing about it is history. */
  readonly entries: readonly Entry[];
}

export interface LookDesk {
  /** Changes of findings that are gone meanwhile, or that are not allowed, are passed over. */
  apply(changes: readonly Change[], context: RunContext): readonly Applied[];
  /** Folds what follows from a loss under it, and unfolds what no longer does. */
  refold(placeOf: FoldInput['placeOf'], context: RunContext): readonly Applied[];
  /** Ends snoozes and brings reminders. */
  passTime(context: RunContext): readonly Applied[];
  active(): readonly Finding[];
  /** Active, or closed by hand without confirmation: what reconcile asks for. */
  reconcilable(): readonly Finding[];
}

export const createLookDesk = (transact: InTransaction, writer: FindingWriter): LookDesk => {
  const applyAll = (changes: readonly Change[], context: RunContext): readonly Applied[] =>
    changes.flatMap(({ findingId, event }) => {
      const outcome = writer.apply(findingId, event, ofRun(context));
      return outcome?.ok === true ? [{ finding: outcome.finding, entries: outcome.entries }] : [];
    });
  return {
    apply: (changes, context) => transact(() => applyAll(changes, context)),
    refold: (placeOf, context) => transact(() => applyAll(fold({ findings: writer.table.active(), placeOf }), context)),
    passTime: (context) =>
      transact(() =>
        applyAll(
          writer.table.waking(context.nowMs).map(({ id }) => ({ findingId: id, event: { kind: 'time_passed' } })),
          context,
        ),
      ),
    active: () => writer.table.active(),
    reconcilable: () => writer.table.open(),
  };
};
