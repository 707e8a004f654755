/** One run: the stages in order, each on what the one before it found. */
import { reconcile } from '../../findings/reconcile.ts';
import { renamed } from '../../findings/renamed.ts';
import { match } from '../../signals/match.ts';
import type { ResourceId } from '../../signals/resource.ts';
import { PatroldError } from '../runtime/errors.ts';
import { cleanText } from '../runtime/text.ts';
import type { RunRequest } from './queue.ts';
import type { RunReport } from './report.ts';
import { reportRun } from './report-run.ts';
import type { RunDeps, RunPass } from './run-pass.ts';
import { inScope } from './scope.ts';
import type { PatrolSettings } from './settings.ts';
import { retryAtMsOf, surveyNote, surveySummary, verdictNote } from './stage-notes.ts';
import { createStageRecorder } from './stage-recorder.ts';
import { assessmentSweep } from './stages/assessment-sweep.ts';
import { detectorsStage } from './stages/detectors.ts';
import { evaluationPass } from './stages/evaluation-pass.ts';
import { modelStages } from './stages/model.ts';
import { recordStage } from './stages/record.ts';
import { type Surveyed, surveyStage } from './stages/survey.ts';
import { tallyVerdicts } from './verdict-tally.ts';

const MAX_REASON_LENGTH = 500;

const reasonOf = (error: unknown): string =>
  cleanText(error instanceof Error ? error.message : String(error), MAX_REASON_LENGTH);

/** Aborts when a run has taken too long; the timer ends with the run. */
const limitTime = (timeoutMs: number): { readonly signal: AbortSignal; end(): void } => {
  const late = new PatroldError('run_timed_out', `the run took longer than ${timeoutMs / 1000} s`);
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(late), timeoutMs);
  return { signal: timeout.signal, end: () => clearTimeout(timer) };
};

const startPass = (
  deps: RunDeps,
  request: RunRequest,
  runId: string,
  settings: PatrolSettings,
  signal: AbortSignal,
): RunPass => {
  const { clock, runs, onEvent } = deps;
  const begun = clock.monotonicMs();
  return {
    deps,
    settings,
    request,
    runId,
    nowMs: clock.nowMs(),
    elapsedMs: () => clock.monotonicMs() - begun,
    recorder: createStageRecorder({ clock, runs, onEvent, reasonOf }, runId, signal),
    progress: { surveyed: null, detected: null, model: null, unassessed: 0 },
    signal,
  };
};

/** Executes a request and returns its report; a run that fails or is cancelled is reported too, never thrown. */
export const executeRun = async (
  deps: RunDeps,
  request: RunRequest,
  runId: string,
  outer: AbortSignal,
): Promise<RunReport> => {
  const settings = deps.settings();
  const time = limitTime(settings.runTimeoutMs);
  const pass = startPass(deps, request, runId, settings, AbortSignal.any([outer, time.signal]));
  const { kind, trigger, scope } = request;
  let report: RunReport;
  try {
    deps.onEvent({ kind: 'run_started', runId, run: { kind, trigger, scope } });
    deps.runs.begin({ id: runId, requestId: request.id, kind, trigger, scope }, pass.nowMs);
    report = await passStages(pass);
  } catch (error) {
    report = giveUp(pass, error);
  } finally {
    time.end();
    if (pass.progress.model?.kind === 'open') pass.progress.model.session.opened.close();
  }
  const { state, status, durationMs } = report.run;
  deps.logger.info({ run: runId, kind, trigger, state, status, durationMs }, 'run ended');
  deps.onEvent({ kind: 'run_ended', runId, run: report.run, report });
  return report;
};

const passStages = async (pass: RunPass): Promise<RunReport> => {
  const { deps, settings, request, runId, nowMs, recorder, progress, signal } = pass;
  const { scope, kind } = request;
  const surveyed = await recorder.run('survey', async () => {
    const inventory = deps.inventory.load();
    const value = await surveyStage(deps, {
      settings,
      kind,
      scope,
      inventory,
      nowMs,
      signal,
      onSurvey: (survey) => deps.onEvent({ kind: 'source_surveyed', runId, survey: surveySummary(survey) }),
    });
    return { value, note: surveyNote(value) };
  });
  progress.surveyed = surveyed;
  const isInScope = scopeTest(pass, surveyed);
  const model = await modelStages(pass, surveyed, isInScope);
  progress.model = model;
  const detected = await recorder.run('detectors', () => {
    const value = detectorsStage(deps, { settings, ledger: surveyed.ledger, scope, nowMs });
    return { value, note: verdictNote(value) };
  });
  progress.detected = detected;
  deps.onRetryAt(retryAtMsOf(detected));
  const { evaluation } = detected;
  const failedDetectors = evaluation.failures.map(({ detector }) => detector);
  deps.onEvent({ kind: 'verdicts_given', runId, tallies: tallyVerdicts(evaluation), failedDetectors });
  const signals = evaluation.verdicts.flatMap((verdict) => (verdict.state === 'raised' ? [verdict.signal] : []));
  const { merged } = surveyed.ledger.change;
  const unmatched = match(signals, renamed(deps.findings.open(), merged)).unmatched;
  const declines = await evaluationPass(pass, model, unmatched);
  // As the model has left them.
  const known = renamed(deps.findings.open(), merged);
  await recorder.run('filing', () => {
    const value = match(signals, known);
    deps.onEvent({ kind: 'signals_matched', runId, matched: value.matched.length, unmatched: value.unmatched.length });
    return { value, note: `${value.unmatched.length} to file, ${value.matched.length} known` };
  });
  progress.unassessed = await assessmentSweep(pass, model, () =>
    deps.findings.active().filter(({ resourceId }) => isInScope(resourceId)),
  );
  const changes = await recorder.run('reconcile', () => {
    const { gone } = surveyed.ledger;
    const value = reconcile({ ...evaluation, findings: known, gone, inScope: isInScope, nowMs });
    return {
      value,
      note: `${value.filter(({ event }) => event.kind === 'cleared' || event.kind === 'gone').length} over`,
    };
  });
  return recordStage(pass, { surveyed, detected, signals, declines, changes, isInScope });
};

const scopeTest = ({ request: { scope } }: RunPass, { ledger }: Surveyed): ((id: ResourceId) => boolean) => {
  if (scope === null) return () => true;
  const byId = new Map(ledger.world.resources.map((resource) => [resource.id as string, resource]));
  const parentOf = (id: string): string | null => byId.get(id)?.parentId ?? null;
  return (id) => {
    const resource = byId.get(id);
    return resource !== undefined && inScope(scope, resource, parentOf);
  };
};

/** What stopped it is on its record, if the database still takes one. */
const giveUp = (pass: RunPass, error: unknown): RunReport => {
  const { deps, runId, signal, recorder } = pass;
  const cause: unknown = signal.aborted ? signal.reason : error;
  const code = cause instanceof PatroldError ? cause.code : null;
  const cancelled = code === 'lease_lost' || (signal.aborted && code !== 'run_timed_out');
  const state = cancelled ? 'cancelled' : 'failed';
  const reason = reasonOf(cause);
  deps.sources.discard();
  if (!cancelled) deps.logger.error({ run: runId, err: cause }, 'run failed');
  const report = reportRun(pass, { state, reason, findings: [] });
  const { status, coverage, durationMs } = report.run;
  try {
    recorder.flush();
    deps.runs.end(runId, {
      state,
      status,
      reason,
      coverage,
      durationMs: durationMs ?? 0,
      report: JSON.stringify(report),
    });
  } catch (unkept) {
    deps.logger.error({ run: runId, err: unkept }, 'the end of the run could not be recorded');
  }
  return report;
};
