/** Where the outcome of a run, and of time passing, is applied to the findings. */
import type { Finding, FindingId } from '../finding.ts';
import type { Entry } from '../history-entry.ts';
import type { Change } from '../reconcile.ts';
import { ofRun, type RunContext } from './context.ts';
import type { FindingWriter } from './finding-writer.ts';
import type { InTransaction } from './transaction.ts';

export interface AppliedChange {
  readonly finding: Finding;
  /** Empty: nothing that history tells of. */
  readonly entries: readonly Entry[];
}

export interface Applied {
  readonly steps: readonly AppliedChange[];
  /** What was not allowed, or came too late: the finding was merged or forgotten meanwhile. */
  readonly refused: readonly { readonly findingId: FindingId; readonly reason: string }[];
}

export interface ChangeDesk {
  /** What a run made of the findings, in one transaction. */
  apply(changes: readonly Change[], context: RunContext): Applied;
  /** Ends snoozes and brings reminders; at most `MAX_WAKING` in one call, the longest due first. */
  tick(nowMs: number): Applied;
}

export const createChangeDesk = (transact: InTransaction, writer: FindingWriter): ChangeDesk => {
  const applyAll = (changes: readonly Change[], context: RunContext): Applied => {
    const write = ofRun(context);
    const applied: AppliedChange[] = [];
    const refused: { readonly findingId: FindingId; readonly reason: string }[] = [];
    for (const { findingId, event } of changes) {
      const outcome = writer.apply(findingId, event, write);
      if (outcome === null) refused.push({ findingId, reason: 'it is no longer there' });
      else if (outcome.ok) applied.push({ finding: outcome.finding, entries: outcome.entries });
      else refused.push({ findingId, reason: outcome.reason });
    }
    return { steps: applied, refused };
  };
  return {
    apply: (changes, context) => transact(() => applyAll(changes, context)),
    tick: (nowMs) =>
      transact(() => {
        const due = writer.table.waking(nowMs);
        const changes = due.map(({ id }): Change => ({ findingId: id, event: { kind: 'time_passed' } }));
        return applyAll(changes, { nowMs, runId: null, readingOf: () => null });
      }),
  };
};
