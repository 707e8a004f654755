/** One line for people about what a stage found. */
import type { Survey } from '../../signals/survey.ts';
import { isPassing } from './coverage.ts';
import type { SurveySummary } from './events.ts';
import type { Detected } from './stages/detectors.ts';
import type { Surveyed } from './stages/survey.ts';

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

export const surveySummary = ({ sourceId, outcome, reason, durationMs, claims, readings }: Survey): SurveySummary => ({
  sourceId,
  outcome,
  reason,
  durationMs,
  resources: claims.length,
  readings: readings.length,
});

export const surveyNote = ({ surveys, ledger }: Surveyed): string => {
  const bad = surveys.filter(({ outcome }) => outcome !== 'ok').length;
  const { world, readings, doubts } = ledger;
  const nobodys = doubts.problems.filter(({ kind }) => kind === 'unattributed').length;
  return [
    plural(surveys.length, 'source'),
    ...(bad === 0 ? [] : [`${bad} not whole`]),
    plural(world.resources.length, 'resource'),
    plural(readings.length, 'reading'),
    // Groups of backups of which no source, or several, have the guest.
    ...(nobodys === 0 ? [] : [`${nobodys} unattributed`]),
  ].join(', ');
};

export const verdictNote = ({ evaluation: { verdicts } }: Detected): string => {
  const counts = { raised: 0, clear: 0, unobserved: 0, warmingUp: 0 };
  for (const verdict of verdicts) {
    if (verdict.state === 'unobserved' && isPassing(verdict.code)) counts.warmingUp += 1;
    else counts[verdict.state] += 1;
  }
  const warming = counts.warmingUp === 0 ? '' : `, ${counts.warmingUp} warming up`;
  return `${counts.raised} raised, ${counts.clear} clear, ${counts.unobserved} not seen${warming}`;
};

/** The first instant at which another look can say more, over checks that wait for their window or second look. */
export const retryAtMsOf = ({ evaluation: { verdicts } }: Detected): number | null => {
  let first: number | null = null;
  for (const verdict of verdicts) {
    if (verdict.state !== 'unobserved' || verdict.retryAtMs === null) continue;
    if (first === null || verdict.retryAtMs < first) first = verdict.retryAtMs;
  }
  return first;
};
