import { z } from 'zod';
import type { Finding } from '../../findings/finding.ts';
import { cursorAfter, type FindingQuery, readCursor, writeCursor } from '../../findings/page.ts';
import { SEVERITIES, severityRank } from '../../signals/detector.ts';
import { shortId } from '../runtime/ids.ts';
import { findingInput, resolveFinding } from './known-finding.ts';
import { answerList, PAGE_ROWS, type Row } from './listing.ts';
import type { LookingContext } from './looking-context.ts';
import { resolveResource, resourceInput } from './named-resource.ts';
import { showFindingShort, showFindingWhole } from './showing/show-finding.ts';
import { shownInstant, shownText } from './showing/shown-text.ts';
import { defineTool, type ToolOutcome } from './tool.ts';
import { fail } from './tool-failure.ts';

const input = z.strictObject({
  finding: findingInput.optional().describe('one finding, whole'),
  state: z.enum(['active', 'resolved', 'all']).default('active'),
  severity: z.enum(SEVERITIES).optional(),
  resource: resourceInput.optional(),
  cursor: z.string().max(300).optional().describe('from the page before'),
});

type Asked = z.output<typeof input>;

const listRows = (context: LookingContext, found: readonly Finding[]): readonly (() => Row)[] => {
  const assessed = context.findings.assessmentsIn(context.runId);
  return found.map((finding) => () => ({
    named: [shortId(finding.id)],
    told: [showFindingShort(finding, context.resources.shown(finding.resourceId), assessed.get(finding.id))],
    touched: [finding.resourceId],
  }));
};

const whole = (context: LookingContext, asked: Asked, finding: Finding): ToolOutcome => {
  const { evidence, history } = context.findings.details(finding.id);
  const named = shortId(finding.id);
  return answerList(context, {
    tool: 'patrol_get_findings',
    asked,
    summary: 'One finding. Evidence ids of earlier runs can not be cited again.',
    columns: ['what', 'facts'],
    touched: [finding.resourceId],
    rows: [
      () => ({ named: [named], told: [showFindingWhole(finding, context.resources.shown(finding.resourceId))] }),
      () => ({ named: ['summary'], told: [shownText(finding.summary, 1_000)] }),
      ...evidence.slice(-MAX_EVIDENCE).map(
        ({ runId, readingId, kind, takenAtMs }) =>
          (): Row => ({
            named: ['evidence'],
            told: [{ kind, at: shownInstant(takenAtMs), ...(runId === context.runId ? { id: readingId } : {}) }],
          }),
      ),
      ...history.slice(-MAX_HISTORY).map(
        ({ kind, atMs, actor, reason }) =>
          (): Row => ({
            named: ['history'],
            told: [shownInstant(atMs), kind, actor.kind, reason === null ? null : shownText(reason, 300)],
          }),
      ),
    ],
  });
};

const list = (context: LookingContext, asked: Asked, query: FindingQuery): ToolOutcome => {
  const cursor = asked.cursor?.trim();
  if (cursor !== undefined && readCursor(cursor, SORT) === null)
    return fail('invalid_cursor', 'Repeat the call with the cursor that it gave, or without.');
  const page = context.findings.list({
    ...query,
    sort: SORT,
    limit: PAGE_ROWS,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const cursorOf = (index: number): string => {
    const last = page.findings[index];
    return last === undefined ? '' : writeCursor(cursorAfter(SORT, last, severityRank(last.severity)));
  };
  return answerList(context, {
    tool: 'patrol_get_findings',
    asked,
    summary: `${page.total} findings.`,
    columns: ['id', 'facts'],
    // A model files while it reads: pages go on after a finding, not after a number of them.
    keyset: { cursorAfter: cursorOf, hasMore: page.nextCursor !== null },
    rows: listRows(context, page.findings),
  });
};

const SORT = 'severity';
const MAX_EVIDENCE = 20;
const MAX_HISTORY = 20;

export const patrolGetFindings = defineTool<LookingContext, Asked>({
  name: 'patrol_get_findings',
  effect: 'read',
  description: 'Known findings, worst first; or one with its summary, evidence and history.',
  input,
  timeoutMs: 10_000,
  run: async (asked, context) => {
    if (asked.finding !== undefined) {
      const found = resolveFinding(context.findings, asked.finding);
      return found.ok ? whole(context, asked, found.finding) : found.failure;
    }
    const under = asked.resource === undefined ? null : resolveResource(context.resources, asked.resource);
    if (under !== null && !under.ok) return under.failure;
    const query: FindingQuery = {
      state: asked.state,
      ...(asked.severity === undefined ? {} : { severities: [asked.severity] }),
      ...(under === null ? {} : { resourceId: under.resource.id }),
    };
    return list(context, asked, query);
  },
});
