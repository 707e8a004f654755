/** Stage 8: active findings that got no assessment in this run get one bounded look, in batches. */
import type { Finding } from '../../../findings/finding.ts';
import type { ModelPart } from '../model-half/model-part.ts';
import type { RunPass } from '../run-pass.ts';

/** How many are left without an assessment. `active`: those in scope, as they are when it is asked. */
export const assessmentSweep = async (
  { deps, recorder, runId }: RunPass,
  part: ModelPart,
  active: () => readonly Finding[],
): Promise<number> => {
  if (part.kind === 'none') {
    recorder.skip('assessment_sweep', part.reason);
    return 0;
  }
  const { session } = part;
  const waiting = (): readonly Finding[] => {
    const assessed = deps.findings.assessmentsIn(runId);
    // What was filed in this run was looked at in it.
    return active().filter(({ id, evidence }) => !assessed.has(id) && evidence?.runId !== runId);
  };
  const left = waiting().length;
  if (left === 0 || !session.mayGoOn()) {
    recorder.skip('assessment_sweep', left === 0 ? 'every finding was looked at' : 'the model gave up before');
    return left;
  }
  const { assessFindings } = await import('../model-half/assess-findings.ts');
  return recorder.run('assessment_sweep', async () => {
    const asked = await assessFindings(session, waiting);
    const value = waiting().length;
    return { value, note: `${asked} asked about, ${value} without an assessment` };
  });
};
