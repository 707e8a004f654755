/** What a run found, beside what the scenario says it should. */
import type { ReportedFinding, RunReport } from '../patrol/report.ts';
import type { ScenarioStep } from './scenario-file.ts';

export interface StepOutcome {
  readonly expected: readonly string[];
  readonly missed: readonly string[];
  /** Found, and not expected. */
  readonly extra: readonly string[];
  /** Other expectations that were not met: a status, a check that should have been unseen. */
  readonly wrong: readonly string[];
}

/** `<severity> <resource id> <key>`, with what else holds in brackets. */
export const describeFinding = ({
  severity,
  resourceId,
  key,
  disposition,
  stale,
  episodes,
}: ReportedFinding): string => {
  const notes = [
    disposition === 'none' ? '' : disposition,
    stale ? 'stale' : '',
    episodes > 1 ? `episode ${episodes}` : '',
  ];
  return [`${severity} ${resourceId} ${key}`, ...notes.filter((note) => note !== '').map((note) => `[${note}]`)].join(
    ' ',
  );
};

/** The same problem twice: what the database itself forbids, and a reader would see at once. */
const doubles = (findings: readonly ReportedFinding[]): readonly string[] => {
  const active = findings
    .filter(({ state }) => state === 'active')
    .map(({ resourceId, key }) => `${resourceId} ${key}`);
  return active.filter((one, index) => active.indexOf(one) !== index).map((one) => `twice: ${one}`);
};

export const compareStep = (step: ScenarioStep, report: RunReport): StepOutcome => {
  const found = report.findings.filter(({ state }) => state === 'active').map(describeFinding);
  const expected = step.finds ?? [];
  const wrong: string[] = [...doubles(report.findings)];
  if (report.run.state !== 'completed') wrong.push(`the run ended as ${report.run.state}: ${report.run.reason}`);
  if (step.status !== undefined && report.run.status !== step.status)
    wrong.push(`status is ${report.run.status}, not ${step.status}`);
  const unseen = new Set(report.verdicts.unobserved.map(({ resourceId, detector }) => `${resourceId} ${detector}`));
  for (const check of step.unseen) if (!unseen.has(check)) wrong.push(`was seen: ${check}`);
  return {
    expected,
    missed: step.finds === undefined ? [] : expected.filter((one) => !found.includes(one)),
    extra: step.finds === undefined ? [] : found.filter((one) => !expected.includes(one)),
    wrong,
  };
};
