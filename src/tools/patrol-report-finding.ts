import { z } from 'zod';
import type { Report } from '../../findings/filing.ts';
import type { Finding } from '../../findings/finding.ts';
import { keyOwner, storedKeyOf } from '../../findings/identity.ts';
import { LARGEST_PAGE } from '../../findings/page.ts';
import type { Filed } from '../../findings/store.ts';
import { CATEGORIES, isWorse, SEVERITIES } from '../../signals/detector.ts';
import type { Resource } from '../../signals/resource.ts';
import { shortId } from '../runtime/ids.ts';
import { citedFor, evidenceInput } from './claims/cited.ts';
import { contradicted } from './claims/contradiction.ts';
import { type Claim, type Weighed, weighClaim } from './claims/weigh-claim.ts';
import type { Citable } from './evidence-book.ts';
import type { FilingContext } from './filing-context.ts';
import { resolveResource, resourceInput } from './named-resource.ts';
import { defineTool, type ToolOutcome } from './tool.ts';
import { fail } from './tool-failure.ts';

const input = z.strictObject({
  resource: resourceInput,
  key: z.string().min(3).max(120).describe('short name of the problem, the same each time; of a detector if one fits'),
  about: z.string().max(60).optional().describe('detector type it concerns, if any: high_cpu, smart_failure'),
  severity: z.enum(SEVERITIES),
  category: z.enum(CATEGORIES),
  title: z.string().min(3).max(200),
  summary: z.string().min(10).max(2_000).describe('what, how much, since when, why it matters'),
  evidence: evidenceInput,
});

type Asked = z.output<typeof input>;

interface Case {
  readonly asked: Asked;
  readonly resource: Resource;
  readonly evidence: readonly Citable[];
  /** What the report would be taken for as it stands. */
  readonly known: Finding | null;
}

const reportOf = ({ asked, resource, evidence }: Case, key: string): Report => ({
  resourceId: resource.id,
  key,
  severity: asked.severity,
  category: asked.category,
  title: asked.title,
  summary: asked.summary,
  evidence: evidence.map(({ id }) => id),
  sourceIds: [...new Set(evidence.map(({ sourceId }) => sourceId))],
});

const weigh = ({ verdicts }: FilingContext, { asked, resource, evidence, known }: Case): Weighed => {
  const types = new Set(verdicts.detectors.map(({ type }) => type));
  const stated = asked.about !== undefined && types.has(asked.about) ? asked.about : null;
  const owner = keyOwner(asked.key, types) ?? stated;
  const claim: Claim = { ...asked, evidence, about: owner ?? known?.detector ?? null };
  const weighed = weighClaim(claim, { detectors: verdicts.detectors, ...verdicts.on(resource) });
  // A known finding whose detector no longer judges the resource is still the one that is meant.
  return owner === null && weighed.kind === 'not_judged' ? { kind: 'own' } : weighed;
};

/** What is filed of it; text of the model in a finding that the data knows, and the data's own severity. */
const reportFor = (one: Case, weighed: Extract<Weighed, { kind: 'raised' | 'unobserved' | 'own' }>): Report => {
  switch (weighed.kind) {
    case 'raised': {
      const { key, severity, category } = weighed.signal;
      return { ...reportOf(one, key), severity, category };
    }
    case 'unobserved':
      return reportOf(one, storedKeyOf(weighed.detector, weighed.subject));
    case 'own':
      return reportOf(one, one.asked.key);
  }
};

/** Saying a known problem again makes it no better: only its detector, or its end, does. */
const noBetter = (report: Report, known: Finding | null): Report =>
  known !== null && known.state === 'active' && isWorse(known.severity, report.severity)
    ? { ...report, severity: known.severity }
    : report;

/** Findings that no detector judges, which a model may add in one run: beyond it they are noise, whatever they say. */
export const OWN_FINDINGS_A_RUN = 25;

/** Counted in the store, so that neither a restart nor a second loop of the run begins anew. */
const ownSoFar = ({ findings, runId }: FilingContext): number =>
  findings
    .list({ sort: 'newest', limit: LARGEST_PAGE })
    .findings.filter((one) => one.filedBy === 'model' && one.detector === null && one.evidence?.runId === runId).length;

const decided = ({ disposition }: Finding): string =>
  disposition.kind === 'none' ? '' : ` The operator has ${disposition.kind} it; that holds.`;

const told = ({ finding, outcome }: Filed): string => {
  const id = shortId(finding.id);
  const ruled = finding.detector === null ? '' : ` The detector ${finding.detector} looks after it.`;
  if (outcome === 'opened') return `Filed as finding ${id}, ${finding.severity}.${ruled}`;
  if (outcome === 'regressed') return `Finding ${id} is back, episode ${finding.episode}, ${finding.severity}.${ruled}`;
  return `This is the known finding ${id}, ${finding.severity} (${outcome}).${ruled}${decided(finding)}`;
};

const file = (context: FilingContext, one: Case, report: Report): ToolOutcome => {
  const { findings, actor, runId, nowMs, evidence, onFiled } = context;
  const filed = findings.report(report, actor, { nowMs, runId, readingOf: evidence.get });
  const { finding, outcome } = filed;
  onFiled({ findingId: finding.id, resourceId: finding.resourceId, key: finding.key, outcome });
  return {
    kind: 'ok',
    text: told(filed),
    evidence: one.evidence.map(({ id }) => id),
    touched: [one.resource.id],
  };
};

export const patrolReportFinding = defineTool<FilingContext, Asked>({
  name: 'patrol_report_finding',
  effect: 'write',
  changes: 'findings',
  description: 'File one problem of one resource, on evidence of this run. A known problem returns its id.',
  input,
  timeoutMs: 10_000,
  run: async (asked, context) => {
    const found = resolveResource(context.resources, asked.resource);
    if (!found.ok) return found.failure;
    const { resource } = found;
    const cited = citedFor(context, resource, asked.evidence);
    if (!cited.ok) return cited.failure;
    const known = context.findings.takenFor(
      reportOf({ asked, resource, evidence: cited.evidence, known: null }, asked.key),
    );
    const one: Case = { asked, resource, evidence: cited.evidence, known };
    const weighed = weigh(context, one);
    if (weighed.kind === 'contradicted') return contradicted(context, resource, weighed.detectors);
    if (weighed.kind === 'not_judged')
      return fail(
        'invalid_finding_request',
        `${weighed.detector} does not judge this resource (${weighed.reason}): use a key of your own.`,
      );
    if (weighed.kind === 'premature')
      return fail('claim_premature', `${weighed.detector} can not tell yet, and looks again by itself.`, {
        reason: weighed.reason,
      });
    const report = reportFor(one, weighed);
    if (weighed.kind === 'own' && known === null && ownSoFar(context) >= OWN_FINDINGS_A_RUN)
      return fail('too_many_findings', `This run has filed ${OWN_FINDINGS_A_RUN} findings that no detector judges.`);
    return file(context, one, weighed.kind === 'raised' ? report : noBetter(report, context.findings.takenFor(report)));
  },
});
