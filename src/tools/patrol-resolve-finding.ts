import { z } from 'zod';
import type { Finding } from '../../findings/finding.ts';
import { shortId } from '../runtime/ids.ts';
import { citedFor, evidenceInput } from './claims/cited.ts';
import { weighClaim } from './claims/weigh-claim.ts';
import type { Citable } from './evidence-book.ts';
import type { FilingContext } from './filing-context.ts';
import { findingInput, resolveFinding } from './known-finding.ts';
import { shownText } from './showing/shown-text.ts';
import { defineTool } from './tool.ts';
import { fail } from './tool-failure.ts';

const input = z.strictObject({
  finding: findingInput,
  reason: z.string().min(5).max(1_000).describe('what shows that it is over'),
  evidence: evidenceInput,
});

type Asked = z.output<typeof input>;

/** Null: a model may close it. What one run has said is there, the same run does not close, whatever it reads meanwhile. */
const whyNot = ({ state, detector, filedBy, lastSeenAtMs }: Finding, nowMs: number): string | null => {
  if (state !== 'active') return 'It is resolved already.';
  if (detector !== null) return `${detector} rules it: it ends by that detector's verdict alone.`;
  if (filedBy === 'operator') return 'A person filed it: a person closes it.';
  return lastSeenAtMs >= nowMs ? 'It was seen in this very run: another one has to look.' : null;
};

/** Whether what is cited is of the kind that the finding stood on: what was seen there has to be looked at again. */
const looksAgain = ({ findings }: FilingContext, finding: Finding, cited: readonly Citable[]): boolean => {
  const kinds = new Set(findings.details(finding.id).evidence.map(({ kind }) => kind));
  return kinds.size === 0 || cited.some(({ kind }) => kinds.has(kind));
};

export const patrolResolveFinding = defineTool<FilingContext, Asked>({
  name: 'patrol_resolve_finding',
  effect: 'write',
  changes: 'findings',
  description: 'Close a finding that no detector rules, on evidence of this run that it is over.',
  input,
  timeoutMs: 10_000,
  run: async (asked, context) => {
    const { findings, resources, verdicts, actor, runId, nowMs, evidence } = context;
    const found = resolveFinding(findings, asked.finding);
    if (!found.ok) return found.failure;
    const { finding } = found;
    const refusal = whyNot(finding, nowMs);
    if (refusal !== null) return fail('finding_action_not_allowed', refusal);
    const place = resources.find(finding.resourceId);
    if (place.kind !== 'one') return fail('resource_not_found', 'Its resource was not seen in this run.');
    const { resource } = place;
    const cited = citedFor(context, resource, asked.evidence);
    if (!cited.ok) return cited.failure;
    if (!looksAgain(context, finding, cited.evidence))
      return fail(
        'invalid_finding_request',
        'Cite the kind of evidence that it was filed on: patrol_get_findings shows it.',
      );
    const claim = { ...finding, about: null, evidence: cited.evidence };
    const weighed = weighClaim(claim, { detectors: verdicts.detectors, ...verdicts.on(resource) });
    if (weighed.kind === 'raised')
      return fail('claim_contradicted', `${weighed.signal.type} sees it on fresh evidence of this run.`, {
        evidence: weighed.signal.evidence,
      });
    const event = { kind: 'cleared', actor, reason: shownText(asked.reason, 1_000) } as const;
    const { refused } = findings.apply([{ findingId: finding.id, event }], { nowMs, runId, readingOf: evidence.get });
    const [no] = refused;
    if (no !== undefined) return fail('finding_action_not_allowed', no.reason);
    return {
      kind: 'ok',
      text: `Resolved ${shortId(finding.id)}.`,
      evidence: cited.evidence.map(({ id }) => id),
      touched: [resource.id],
    };
  },
});
