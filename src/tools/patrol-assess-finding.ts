import { z } from 'zod';
import { ASSESSMENTS } from '../../findings/assessment.ts';
import type { Finding } from '../../findings/finding.ts';
import { shortId } from '../runtime/ids.ts';
import { citedFor, evidenceInput } from './claims/cited.ts';
import type { FilingContext } from './filing-context.ts';
import { findingInput, resolveFinding } from './known-finding.ts';
import { defineTool } from './tool.ts';
import { fail } from './tool-failure.ts';

const input = z.strictObject({
  finding: findingInput,
  verdict: z.enum(ASSESSMENTS),
  reason: z.string().min(5).max(1_000),
  evidence: evidenceInput.optional(),
});

type Asked = z.output<typeof input>;

const consequence = ({ detector }: Finding, { verdict }: Asked): string => {
  if (verdict !== 'resolved') return '';
  return detector === null
    ? ' To close it call patrol_resolve_finding.'
    : ` It stays open: it ends by the verdict of ${detector} alone.`;
};

export const patrolAssessFinding = defineTool<FilingContext, Asked>({
  name: 'patrol_assess_finding',
  effect: 'write',
  changes: 'findings',
  description:
    'Say of a known active finding whether this run shows it: present, resolved (needs evidence) or uncertain.',
  input,
  timeoutMs: 10_000,
  run: async (asked, context) => {
    const { findings, resources, actor, runId, nowMs, evidence } = context;
    const found = resolveFinding(findings, asked.finding);
    if (!found.ok) return found.failure;
    const { finding } = found;
    if (finding.state !== 'active')
      return fail('finding_action_not_allowed', 'It is resolved: there is nothing to assess.');
    const { verdict, reason, evidence: ids = [] } = asked;
    if (verdict === 'resolved' && ids.length === 0)
      return fail('invalid_finding_request', 'To say that it is resolved cite what shows it.');
    const place = resources.find(finding.resourceId);
    if (ids.length > 0) {
      if (place.kind !== 'one')
        return fail('resource_not_found', 'Its resource was not seen in this run: nothing can be cited.');
      const cited = citedFor(context, place.resource, ids);
      if (!cited.ok) return cited.failure;
    }
    findings.assess(finding.id, { verdict, reason, evidence: ids, actor }, { nowMs, runId, readingOf: evidence.get });
    return {
      kind: 'ok',
      text: `Assessed ${shortId(finding.id)} as ${verdict}.${consequence(finding, asked)}`,
      evidence: ids,
      touched: [finding.resourceId],
    };
  },
});
