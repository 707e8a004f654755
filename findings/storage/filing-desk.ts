/** Where signals and reports become findings: the one it is already, or a new one. */
import type { Signal } from '../../signals/detector.ts';
import type { ResourceId } from '../../signals/resource.ts';
import type { NewId } from '../../src/runtime/ids.ts';
import { type Filing, filingOfReport, filingOfSignal, type Report } from '../filing.ts';
import type { Finding, FindingId } from '../finding.ts';
import { type Actor, type EntryKind, operator } from '../history-entry.ts';
import { keyOwner, storedKey } from '../identity.ts';
import { findNearDuplicate } from '../near-duplicate.ts';
import { open } from '../open.ts';
import { type Step, unchanged } from '../step.ts';
import { transition } from '../transition.ts';
import { ofRun, type RunContext } from './context.ts';
import type { FindingWriter } from './finding-writer.ts';
import { keptText, SUMMARY_LENGTH, TITLE_LENGTH } from './kept-text.ts';
import type { SuppressionTable } from './suppression-table.ts';
import type { InTransaction } from './transaction.ts';

/** `seen`: it was known, and nothing about it is news. */
export type FilingOutcome = 'opened' | 'regressed' | 'reopened' | 'escalated' | 'worsened' | 'eased' | 'seen';

export interface Filed {
  readonly findingId: FindingId;
  readonly outcome: FilingOutcome;
  /** Whether a report under another key was taken for this finding. */
  readonly merged: boolean;
  readonly finding: Finding;
}

export interface FilingDesk {
  file(signal: Signal, context: RunContext): Filed;
  /** In transactions of at most `FILED_AT_ONCE`; each is durable when the next begins. */
  fileBatch(signals: readonly Signal[], context: RunContext): readonly Filed[];
  report(report: Report, actor: Actor, context: RunContext): Filed;
  /** The finding that a report would be taken for; null: it would be a new one. */
  takenFor(report: Report): Finding | null;
}

export interface FilingDeps {
  readonly transact: InTransaction;
  readonly writer: FindingWriter;
  readonly suppressions: SuppressionTable;
  readonly newId: NewId;
  /** Keys that begin with these belong to their detectors, whoever files under them. */
  readonly detectorTypes: ReadonlySet<string>;
}

/** Keeps a transaction below some 50 ms, so that other processes get in between. */
export const FILED_AT_ONCE = 500;

export const createFilingDesk = ({ transact, writer, suppressions, newId, detectorTypes }: FilingDeps): FilingDesk => {
  const place = (
    resourceId: ResourceId,
    key: string,
    filing: Filing,
    known: Finding | null,
    merged: boolean,
    context: RunContext,
  ): Filed => {
    const { nowMs } = context;
    const step =
      known === null
        ? suppress(open({ id: newId(), resourceId, key }, filing, nowMs), nowMs)
        : see(known, filing, nowMs);
    writer.write(known, step, ofRun(context));
    return { findingId: step.finding.id, outcome: outcomeOf(step), merged, finding: step.finding };
  };
  const suppress = (opened: Step, nowMs: number): Step => {
    const rule = suppressions.on(opened.finding.resourceId).of(opened.finding);
    if (rule === null) return opened;
    const event = {
      kind: 'suppressed',
      suppressionId: rule.id,
      actor: operator(rule.by),
      reason: rule.reason,
    } as const;
    const suppressed = transition(opened.finding, event, nowMs);
    return suppressed.ok ? { ...suppressed, entries: [...opened.entries, ...suppressed.entries] } : opened;
  };
  const fileOne = (signal: Signal, context: RunContext): Filed => {
    const key = storedKey(signal.key);
    const filing = kept(filingOfSignal(signal, context.runId));
    return place(signal.resourceId, key, filing, writer.table.byIdentity(signal.resourceId, key), false, context);
  };
  const reportOne = (report: Report, actor: Actor, context: RunContext): Filed => {
    const key = storedKey(report.key);
    const detector = keyOwner(key, detectorTypes);
    const filing = kept(filingOfReport(report, actor, detector, context.runId));
    const known = takenFor({ ...report, title: filing.title });
    return place(report.resourceId, key, filing, known, known !== null && known.key !== key, context);
  };
  const takenFor = (report: Report): Finding | null => {
    const key = storedKey(report.key);
    const exact = writer.table.byIdentity(report.resourceId, key);
    if (exact !== null || keyOwner(key, detectorTypes) !== null) return exact;
    return alike({ ...report, key, title: keptText(report.title, TITLE_LENGTH) });
  };
  const alike = (report: Report): Finding | null => {
    const candidates = writer.table.onResource(report.resourceId);
    const id = findNearDuplicate(report, candidates);
    return candidates.find((finding) => finding.id === id) ?? null;
  };
  return {
    file: (signal, context) => transact(() => fileOne(signal, context)),
    fileBatch: (signals, context) => {
      const filed: Filed[] = [];
      for (let from = 0; from < signals.length; from += FILED_AT_ONCE) {
        const some = signals.slice(from, from + FILED_AT_ONCE);
        filed.push(...transact(() => some.map((signal) => fileOne(signal, context))));
      }
      return filed;
    },
    report: (report, actor, context) => transact(() => reportOne(report, actor, context)),
    takenFor,
  };
};

const see = (known: Finding, filing: Filing, nowMs: number): Step => {
  const seen = transition(known, { kind: 'seen', filing }, nowMs);
  return seen.ok ? seen : unchanged(known);
};

const kept = (filing: Filing): Filing => ({
  ...filing,
  title: keptText(filing.title, TITLE_LENGTH),
  summary: keptText(filing.summary, SUMMARY_LENGTH),
  clearsWhen: filing.clearsWhen === null ? null : keptText(filing.clearsWhen, SUMMARY_LENGTH),
});

const NEWSWORTHY: readonly FilingOutcome[] = ['opened', 'regressed', 'reopened', 'escalated', 'worsened', 'eased'];

/** Of several rows the first in this order says it best. */
const outcomeOf = ({ entries }: Step): FilingOutcome => {
  const kinds: readonly EntryKind[] = entries.map(({ kind }) => kind);
  return NEWSWORTHY.find((outcome) => kinds.some((kind) => kind === outcome)) ?? 'seen';
};
