/** The rows of assessments: one for each finding and run, the newest of each finding. */
import type { EvidenceId } from '../../signals/reading.ts';
import type { Database } from '../../src/runtime/database.ts';
import { and, desc, eq, inArray, lte, ne } from '../../src/runtime/drizzle.ts';
import type { Assessment, AssessmentVerdict } from '../assessment.ts';
import type { FindingId, RunId } from '../finding.ts';
import { assessments } from '../schema.ts';

/** Of one finding; four runs a day fill it in two months, and the newest are what is asked for. */
export const KEPT_ASSESSMENTS = 240;

export interface AssessmentTable {
  write(assessment: Assessment): void;
  /** Newest first. */
  of(family: readonly FindingId[], limit: number): readonly Assessment[];
  /** The newest of another run. */
  before(family: readonly FindingId[], runId: RunId): Assessment | null;
  inRun(runId: RunId): readonly Assessment[];
}

type Row = typeof assessments.$inferSelect;

const fromRow = ({ verdict, evidence, ...row }: Row): Assessment => ({
  ...row,
  verdict: verdict as AssessmentVerdict,
  evidence: JSON.parse(evidence) as EvidenceId[],
});

export const createAssessmentTable = ({ orm }: Database): AssessmentTable => {
  const newest = (family: readonly FindingId[], limit: number, except: RunId | null): readonly Assessment[] =>
    orm
      .select()
      .from(assessments)
      .where(
        and(inArray(assessments.findingId, [...family]), except === null ? undefined : ne(assessments.runId, except)),
      )
      .orderBy(desc(assessments.atMs))
      .limit(limit)
      .all()
      .map(fromRow);
  const forgetOldest = (findingId: FindingId): void => {
    const own = eq(assessments.findingId, findingId);
    const [last] = orm
      .select({ atMs: assessments.atMs })
      .from(assessments)
      .where(own)
      .orderBy(desc(assessments.atMs))
      .limit(1)
      .offset(KEPT_ASSESSMENTS)
      .all();
    if (last === undefined) return;
    orm
      .delete(assessments)
      .where(and(own, lte(assessments.atMs, last.atMs)))
      .run();
  };
  return {
    write: (assessment) => {
      const row = { ...assessment, evidence: JSON.stringify(assessment.evidence) };
      orm
        .insert(assessments)
        .values(row)
        .onConflictDoUpdate({ target: [assessments.findingId, assessments.runId], set: row })
        .run();
      forgetOldest(assessment.findingId);
    },
    of: (family, limit) => newest(family, limit, null),
    before: (family, runId) => newest(family, 1, runId)[0] ?? null,
    inRun: (runId) => orm.select().from(assessments).where(eq(assessments.runId, runId)).all().map(fromRow),
  };
};
