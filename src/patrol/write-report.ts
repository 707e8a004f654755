/** A run's outcome as the public document. Pure. */
import type { Finding } from '../../findings/finding.ts';
import type { Signal, Verdict } from '../../signals/detector.ts';
import type { Evaluation } from '../../signals/evaluate.ts';
import type { LimitOrigin } from '../../signals/limits.ts';
import { type IsAccepted, isPassing } from './coverage.ts';
import { MAX_UNOBSERVED_LISTED, type ReportedFinding, type RunReport } from './report.ts';

type ReportedSignal = RunReport['signals'][number];

/** `alerts.guest.cpu.warning`, `default`, or why it was derived. */
export const originText = (origin: LimitOrigin): string => {
  switch (origin.kind) {
    case 'default':
      return 'default';
    case 'derived':
      return origin.reason;
    case 'setting':
    case 'override':
    case 'import':
      return origin.path;
  }
};

const reportSignal = (signal: Signal): ReportedSignal => {
  const { type, level, sourceIds: _sources, details: _details, ...rest } = signal;
  return {
    ...rest,
    detector: type,
    level:
      level === null
        ? null
        : {
            value: level.value,
            limit: level.limit?.trigger ?? null,
            unit: level.unit,
            limitFrom: level.limit === null ? null : originText(level.limit.origin),
          },
  };
};

export const reportFinding = (finding: Finding, resourceName: string, counts: boolean): ReportedFinding => ({
  id: finding.id,
  key: finding.key,
  resourceId: finding.resourceId,
  resourceName,
  severity: finding.severity,
  category: finding.category,
  filedBy: finding.filedBy,
  state: finding.state,
  disposition: finding.disposition.kind,
  stale: finding.stale !== null,
  counts,
  title: finding.title,
  summary: finding.summary,
  evidence: finding.evidence?.ids ?? [],
  firstSeenAtMs: finding.firstSeenAtMs,
  lastSeenAtMs: finding.lastSeenAtMs,
  episodes: finding.episode,
});

const isListed = (verdict: Verdict, isAccepted: IsAccepted): verdict is Extract<Verdict, { state: 'unobserved' }> =>
  verdict.state === 'unobserved' && !isPassing(verdict.code) && !isAccepted(verdict);

/** What the document says of a run's verdicts; nothing where the run never came that far. */
export const reportVerdicts = (
  evaluation: Evaluation | null,
  isAccepted: IsAccepted,
): Pick<RunReport, 'signals' | 'verdicts'> => {
  if (evaluation === null) return { signals: [], verdicts: { raised: 0, clear: 0, unobserved: [], skipped: 0 } };
  const { verdicts, skipped } = evaluation;
  const signals = verdicts.flatMap((verdict) => (verdict.state === 'raised' ? [reportSignal(verdict.signal)] : []));
  const unobserved = verdicts.filter((verdict) => isListed(verdict, isAccepted)).slice(0, MAX_UNOBSERVED_LISTED);
  return {
    signals,
    verdicts: {
      raised: signals.length,
      clear: verdicts.filter(({ state }) => state === 'clear').length,
      unobserved: unobserved.map(({ resourceId, detector, subject, code, reason }) => ({
        resourceId,
        detector,
        subject,
        code,
        reason,
      })),
      skipped: skipped.length,
    },
  };
};
