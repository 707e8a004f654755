/** Where what a model says of known findings is taken in: one assessment for each finding and run, the last one said. */
import type { EvidenceId } from '../../signals/reading.ts';
import type { Database } from '../../src/runtime/database.ts';
import { PatroldError } from '../../src/runtime/errors.ts';
import type { Assessment, AssessmentVerdict } from '../assessment.ts';
import type { Finding, FindingId, RunId } from '../finding.ts';
import type { Actor } from '../history-entry.ts';
import { createAssessmentTable } from './assessment-table.ts';
import { ofRun, type RunContext } from './context.ts';
import type { FindingIds } from './finding-ids.ts';
import type { FindingWriter } from './finding-writer.ts';
import { keptText, keptTextOrNull, NAME_LENGTH, SUMMARY_LENGTH } from './kept-text.ts';
import type { InTransaction } from './transaction.ts';
import { present } from './verb-desk.ts';

export interface Assessing {
  readonly verdict: AssessmentVerdict;
  readonly reason: string;
  readonly evidence: readonly EvidenceId[];
  readonly actor: Actor;
}

export type AssessingContext = RunContext & { readonly runId: RunId };

export interface AssessmentDesk {
  /**
   * Another one of the same run replaces the first. Throws `finding_not_found`, `finding_id_ambiguous`, or
   * `finding_action_not_allowed` for one that is resolved.
   */
  assess(typed: string, said: Assessing, context: AssessingContext): Assessment;
  /** Of one run, by finding. */
  assessmentsIn(runId: RunId): ReadonlyMap<FindingId, Assessment>;
  /** Newest first, at most `limit`. */
  assessmentsOf(typed: string, limit: number): readonly Assessment[];
}

export interface AssessmentDeps {
  readonly db: Database;
  readonly transact: InTransaction;
  readonly writer: FindingWriter;
  readonly ids: FindingIds;
}

const assessmentOf = (finding: Finding, said: Assessing, { runId, nowMs }: AssessingContext): Assessment => ({
  findingId: finding.id,
  runId,
  episode: finding.episode,
  verdict: said.verdict,
  reason: keptText(said.reason, SUMMARY_LENGTH),
  evidence: said.evidence,
  by: keptTextOrNull(said.actor.name, NAME_LENGTH),
  atMs: nowMs,
});

export const createAssessmentDesk = ({ db, transact, writer, ids }: AssessmentDeps): AssessmentDesk => {
  const table = createAssessmentTable(db);
  const assessOne = (finding: Finding, said: Assessing, context: AssessingContext): Assessment => {
    const assessment = assessmentOf(finding, said, context);
    const { verdict, reason, evidence, runId } = assessment;
    const before = table.before(ids.family(finding.id), runId);
    // Of one that says the same run after run the rows are enough; history tells where it begins to say it.
    const changed = before?.episode !== finding.episode || before.verdict !== verdict;
    const event = { kind: 'assessed', verdict, reason, actor: said.actor, changed } as const;
    const outcome = writer.apply(finding.id, event, ofRun(context));
    if (outcome !== null && !outcome.ok) throw new PatroldError(outcome.code, outcome.reason);
    table.write(assessment);
    writer.evidence.keep(finding.id, { runId, ids: evidence }, changed, context.readingOf);
    return assessment;
  };
  return {
    assess: (typed, said, context) => transact(() => assessOne(present(writer, ids.resolve(typed)), said, context)),
    assessmentsIn: (runId) => new Map(table.inRun(runId).map((one) => [one.findingId, one])),
    assessmentsOf: (typed, limit) => table.of(ids.family(ids.resolve(typed)), limit),
  };
};
