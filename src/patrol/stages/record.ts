/**
 * The last stage, and the only one of the deterministic half that writes: inventory, samples, memories, findings and the
 * run's own end in one transaction. A run that is killed before it leaves nothing but its `interrupted` row.
 */

import { counts } from '../../../findings/counts.ts';
import type { Finding } from '../../../findings/finding.ts';
import { isNews } from '../../../findings/history-entry.ts';
import type { Change } from '../../../findings/reconcile.ts';
import type { Applied, Filed } from '../../../findings/store.ts';
import type { Signal } from '../../../signals/detector.ts';
import { remember } from '../../../signals/history.ts';
import type { ResourceId } from '../../../signals/resource.ts';
import type { Ledger } from '../../evidence/ledger.ts';
import type { NewSample } from '../../evidence/sample-store.ts';
import { PatroldError } from '../../runtime/errors.ts';
import type { FindingChange } from '../events.ts';
import type { RunReport } from '../report.ts';
import { reportRun } from '../report-run.ts';
import type { RunPass } from '../run-pass.ts';
import type { Detected } from './detectors.ts';
import type { Declines } from './evaluation-pass.ts';
import type { Surveyed } from './survey.ts';

export interface Found {
  readonly surveyed: Surveyed;
  readonly detected: Detected;
  readonly signals: readonly Signal[];
  /** Why the model would not have filed them. */
  readonly declines: Declines;
  readonly changes: readonly Change[];
  readonly isInScope: (id: ResourceId) => boolean;
}

type Step = Applied['steps'][number];

interface Recorded {
  readonly report: RunReport;
  readonly news: readonly FindingChange[];
}

/** Everything in one transaction; only then it is said that something was filed. */
export const recordStage = async (pass: RunPass, found: Found): Promise<RunReport> => {
  const { deps, runId, nowMs, recorder, request } = pass;
  const { report, news } = await recorder.run('record', () => {
    const value = deps.db.orm.transaction(() => record(pass, found), { behavior: 'immediate' });
    return { value, note: `${value.news.length} changes` };
  });
  for (const change of news) {
    deps.logger.info({ run: runId, ...change }, 'finding changed');
    deps.onEvent({ kind: 'finding_changed', runId, change });
  }
  // What a person asked for is kept; so is what changed something.
  if (request.kind === 'watch' && request.trigger !== 'manual' && news.length === 0)
    deps.runs.endQuietly(runId, report.run.status ?? 'error', nowMs);
  else recorder.flush();
  return report;
};

const record = (pass: RunPass, found: Found): Recorded => {
  const { deps, settings, runId, nowMs } = pass;
  const { surveyed, detected } = found;
  const { ledger, surveys, paces } = surveyed;
  const context = { nowMs, runId, readingOf: ledger.reading };
  for (const { from, into } of ledger.change.merged) {
    deps.findings.renameResource(from, into, context);
    deps.verdicts.rename(from, into);
    deps.samples.rename(from, into);
  }
  deps.inventory.write(ledger.change, nowMs);
  const filed = deps.findings.fileBatch(found.signals, context);
  const applied = [
    ...deps.findings.tick(nowMs).steps,
    ...deps.findings.apply(found.changes, context).steps,
    ...deps.findings.apply(declinesOf(found, filed), context).steps,
    ...deps.findings.refold(context, ledger.world.resources).steps,
  ];
  deps.verdicts.write(detected.memories, detected.evaluation.verdicts, detected.evaluation.absent);
  const keepsHistory = new Set(settings.sources.filter((source) => source.keepsHistory).map(({ source }) => source.id));
  deps.samples.write(samplesOf(ledger, keepsHistory));
  deps.sources.record(surveys, paces);
  return {
    report: end(pass, found, applied),
    news: [...filed.flatMap(newsOfFiled), ...applied.flatMap(newsOfApplied)],
  };
};

/** On what was filed against the model's word, its reason is kept. */
const declinesOf = ({ signals, declines }: Found, filed: readonly Filed[]): readonly Change[] =>
  signals.flatMap((signal, index) => {
    const reason = declines.get(signal);
    const findingId = filed[index]?.findingId;
    return reason === undefined || findingId === undefined ? [] : [{ findingId, event: { kind: 'declined', reason } }];
  });

const samplesOf = ({ readings, series }: Ledger, keepsHistory: ReadonlySet<string>): readonly NewSample[] => {
  const samples: NewSample[] = [];
  for (const reading of readings) {
    if (keepsHistory.has(reading.sourceId)) continue;
    const { resourceId, takenAtMs: atMs } = reading;
    for (const remembered of remember(reading)) {
      if (series.get(resourceId)?.has(remembered.metric) !== true) samples.push({ ...remembered, resourceId, atMs });
    }
  }
  return samples;
};

/** The report needs the findings as they are now, and is the run's own record: it ends here. */
const end = (pass: RunPass, { isInScope }: Found, applied: readonly Step[]): RunReport => {
  const { deps, runId, nowMs, recorder } = pass;
  const over = applied
    .filter(({ finding, entries }) => finding.state === 'resolved' && entries.length > 0)
    .map(({ finding }) => finding);
  const findings = [...deps.findings.active(), ...over].filter(
    ({ resourceId }) => isInScope(resourceId) || over.some((one) => one.resourceId === resourceId),
  );
  const states = deps.findings.operatorStates.all();
  const countsNow = (finding: Finding): boolean => counts(finding, states.get(finding.resourceId) ?? null, nowMs);
  const report = reportRun(pass, {
    state: 'completed',
    reason: null,
    findings: findings.map((finding) => ({ finding, counts: countsNow(finding) })),
  });
  const { status, durationMs, coverage } = report.run;
  recorder.flush();
  const isOurs = deps.runs.end(runId, {
    state: 'completed',
    status,
    reason: null,
    durationMs: durationMs ?? 0,
    coverage,
    report: JSON.stringify(report),
  });
  // A machine that was suspended wakes up with evidence from before: nothing of it is kept.
  if (!isOurs) throw new PatroldError('lease_lost', 'another process took over while this run was under way');
  return report;
};

const changeOf = ({ id, resourceId, key, severity, summary }: Finding, change: string): FindingChange => ({
  findingId: id,
  resourceId,
  key,
  severity,
  change,
  summary,
});

const newsOfFiled = ({ finding, outcome }: Filed): readonly FindingChange[] =>
  outcome === 'seen' ? [] : [changeOf(finding, outcome)];

const newsOfApplied = ({ finding, entries }: Step): readonly FindingChange[] =>
  entries
    .filter(({ kind }) => isNews(kind) || kind === 'stale' || kind === 'snooze_expired')
    .map(({ kind }) => changeOf(finding, kind));
