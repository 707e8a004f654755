/** A finding as a model is shown it, short in a list and whole by itself. */
import type { Assessment } from '../../../findings/assessment.ts';
import type { Finding } from '../../../findings/finding.ts';
import { formatValue } from '../../../signals/format.ts';
import { facts, type ShownFacts, type Told } from './shown-facts.ts';
import { shownInstant } from './shown-text.ts';

const decision = ({ disposition }: Finding): Told => {
  if (disposition.kind === 'none') return undefined;
  if (disposition.kind === 'suppressed') return 'suppressed by the operator';
  const reason = disposition.kind === 'dismissed' ? ` (${disposition.reason})` : '';
  return `${disposition.kind} by the operator${reason}${disposition.note === null ? '' : `: ${disposition.note}`}`;
};

const standing = (finding: Finding) => ({
  state: finding.state === 'active' ? undefined : `resolved ${shownInstant(finding.resolution?.atMs ?? 0)}`,
  ruledBy: finding.detector ?? 'no detector',
  since: shownInstant(finding.sinceMs),
  episode: finding.episode > 1 ? finding.episode : undefined,
  decided: decision(finding),
  stale: finding.stale === null ? undefined : finding.stale.reason,
});

/** `resource`: its id, as it is shown. */
export const showFindingShort = (finding: Finding, resource: string, assessed: Assessment | undefined): ShownFacts =>
  facts({
    severity: finding.severity,
    resource,
    key: finding.key,
    title: finding.title,
    ...standing(finding),
    assessedInThisRun: assessed?.verdict,
  });

export const showFindingWhole = (finding: Finding, resource: string): ShownFacts => ({
  ...facts({
    severity: finding.severity,
    category: finding.category,
    resource,
    key: finding.key,
    title: finding.title,
    filedBy: finding.filedBy,
    ...standing(finding),
    level:
      finding.level === null
        ? undefined
        : `${formatValue(finding.level.value, finding.level.unit)}${
            finding.level.limit === null
              ? ''
              : `, limit ${formatValue(finding.level.limit.trigger, finding.level.unit)}`
          }`,
    clearsWhen: finding.clearsWhen ?? undefined,
    explanation: finding.explanation ?? undefined,
    declined: finding.declineReason ?? undefined,
    returns: finding.regressions > 0 ? finding.regressions : undefined,
    lastFix: finding.lastFix?.how,
    resolvedBy:
      finding.resolution === null ? undefined : `${finding.resolution.by}: ${finding.resolution.reason ?? ''}`,
  }),
});
