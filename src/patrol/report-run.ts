/** The report of a run as it stands: whole, or as far as it came. */
import type { Finding } from '../../findings/finding.ts';
import type { Severity, Verdict } from '../../signals/detector.ts';
import { isWorse } from '../../signals/detector.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import type { ReportedFinding, RunReport } from './report.ts';
import type { RunPass } from './run-pass.ts';
import type { RunState } from './run-record.ts';
import { statusOf } from './run-status.ts';
import { reportFinding, reportVerdicts } from './write-report.ts';

export interface RunEnding {
  readonly state: RunState;
  readonly reason: string | null;
  /** Active findings in scope, and those that this run ended; empty where nothing could be kept. */
  readonly findings: readonly { readonly finding: Finding; readonly counts: boolean }[];
}

const acceptedBy = ({ settings, progress }: RunPass): ((verdict: Verdict) => boolean) => {
  const sources = new Map(
    progress.surveyed?.ledger.world.resources.map(({ id, sourceIds }) => [id as string, sourceIds]),
  );
  return (verdict) => settings.isAccepted(verdict, (id) => sources.get(id) ?? []);
};

const coverage = (pass: RunPass): Coverage | null => {
  const { surveyed, detected } = pass.progress;
  if (surveyed === null || detected === null) return null;
  const { evaluation, resourcesInScope } = detected;
  return coverageOf({
    evaluation,
    surveys: surveyed.surveys,
    resources: resourcesInScope,
    isAccepted: acceptedBy(pass),
  });
};

/** A loop that ended for another reason than that it was done, or had used its turns, did not do its part. */
const DONE: ReadonlySet<string> = new Set(['finished', 'turns_used']);

const modelMissing = ({ progress: { model, unassessed } }: RunPass): boolean => {
  if (model === null) return false;
  if (model.kind === 'none') return model.isMissing;
  return unassessed > 0 || model.session.ends.some(({ reason }) => !DONE.has(reason));
};

const worstOf = (findings: readonly ReportedFinding[]): Severity | null =>
  findings
    .filter(({ state, counts }) => state === 'active' && counts)
    .reduce<Severity | null>(
      (worst, { severity }) => (worst === null || isWorse(severity, worst) ? severity : worst),
      null,
    );

/** Worst first, then by resource: the order in which people read them. */
const inOrder = (findings: readonly ReportedFinding[]): readonly ReportedFinding[] =>
  findings.toSorted((a, b) => {
    if (a.severity !== b.severity) return isWorse(a.severity, b.severity) ? -1 : 1;
    return a.resourceId === b.resourceId
      ? a.key.localeCompare(b.key, 'en')
      : a.resourceId.localeCompare(b.resourceId, 'en');
  });

export const reportRun = (pass: RunPass, { state, reason, findings }: RunEnding): RunReport => {
  const { request, runId, nowMs, recorder, progress } = pass;
  const names = new Map(progress.surveyed?.ledger.world.resources.map(({ id, name }) => [id as string, name]));
  const reported = inOrder(
    findings.map(({ finding, counts }) =>
      reportFinding(finding, names.get(finding.resourceId) ?? finding.resourceId, counts),
    ),
  );
  const covered = coverage(pass);
  const stageFailed = state === 'failed' || covered === null;
  const status =
    covered === null
      ? 'error'
      : statusOf({ coverage: covered, worst: worstOf(reported), stageFailed, modelMissing: modelMissing(pass) });
  return {
    run: {
      id: runId,
      kind: request.kind,
      state,
      status,
      trigger: request.trigger,
      scope: request.scope,
      reason,
      startedAtMs: nowMs,
      durationMs: pass.elapsedMs(),
      coverage: covered,
      stages: recorder.stages,
    },
    ...reportVerdicts(progress.detected?.evaluation ?? null, acceptedBy(pass)),
    findings: reported,
  };
};
