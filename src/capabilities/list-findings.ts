/** `GET /api/findings`: what is, or was, wrong. */
import { z } from 'zod';
import { DISPOSITIONS, FINDING_STATES } from '../../findings/finding.ts';
import { type FindingQuery, readCursor, SORTS } from '../../findings/page.ts';
import { CATEGORIES, SEVERITIES } from '../../signals/detector.ts';
import { asResourceId } from '../../signals/resource.ts';
import { succeed } from './answer.ts';
import { defineCapability } from './capability.ts';
import { anyOf, nameInput, textInput } from './fields.ts';
import { findingView, viewFindings } from './finding-view.ts';
import { badCursor, nextCursor, pageInput } from './paging.ts';

const input = z.strictObject({
  state: z.enum([...FINDING_STATES, 'all']).default('active'),
  severity: anyOf(SEVERITIES).optional(),
  category: z.enum(CATEGORIES).optional(),
  resource: nameInput.optional().describe('id of a resource'),
  source: nameInput.optional().describe('id of a source that it was seen by'),
  key: nameInput.optional().describe('a whole key, or a detector’s type, which stands for all its subjects'),
  disposition: z.enum(DISPOSITIONS).optional(),
  text: textInput.optional().describe('part of title, summary, resource id or key; ASCII letters of either case'),
  sort: z.enum(SORTS).default('severity').describe('severity: worst first, among equals the newest'),
  ...pageInput,
});

const queryOf = (asked: z.output<typeof input>): FindingQuery => {
  const { state, sort, limit, severity, category, resource, source, key, disposition, text, cursor } = asked;
  return {
    state,
    sort,
    limit,
    ...(severity === undefined ? {} : { severities: severity }),
    ...(category === undefined ? {} : { category }),
    ...(resource === undefined ? {} : { resourceId: asResourceId(resource) }),
    ...(source === undefined ? {} : { sourceId: source }),
    ...(key === undefined ? {} : { key }),
    ...(disposition === undefined ? {} : { disposition }),
    ...(text === undefined ? {} : { text }),
    ...(cursor === undefined ? {} : { cursor }),
  };
};

export const listFindings = defineCapability({
  name: 'list_findings',
  title: 'Findings',
  description:
    'Problems that patrold found, by state, severity, category, resource and more, page by page, worst first.',
  category: 'findings',
  method: 'GET',
  path: '/api/findings',
  scope: 'read',
  mode: 'read',
  approval: 'never',
  input,
  output: z.strictObject({
    items: z.array(findingView).readonly(),
    nextCursor,
    total: z.int().describe('of everything that the filters match'),
    bySeverity: z.record(z.enum(SEVERITIES), z.int()),
  }),
  invalidInput: 'invalid_finding_request',
  errors: ['invalid_finding_request'],
  handle: (asked, context) => {
    if (asked.cursor !== undefined && readCursor(asked.cursor, asked.sort) === null) {
      return badCursor('invalid_finding_request');
    }
    const { findings, nextCursor: next, total, bySeverity } = context.ports.findings.list(queryOf(asked));
    return succeed({ items: viewFindings(findings, context), nextCursor: next, total, bySeverity });
  },
});
