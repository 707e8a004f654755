import { z } from 'zod';
import type { Finding } from '../../findings/finding.ts';
import type { HistoryRow } from '../../findings/history.ts';
import { LARGEST_PAGE } from '../../findings/page.ts';
import { shortId } from '../runtime/ids.ts';
import { answerList, type Row } from './listing.ts';
import type { LookingContext } from './looking-context.ts';
import { cursorInput, resolveResource, resourceInput } from './named-resource.ts';
import { facts, type ShownFacts } from './showing/shown-facts.ts';
import { shownInstant, shownText } from './showing/shown-text.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({ resource: resourceInput, cursor: cursorInput });

const declaredRow = ({ findings, nowMs }: LookingContext, resourceId: Finding['resourceId']): readonly Row[] => {
  const state = findings.operatorStates.all().get(resourceId);
  if (state === undefined) return [];
  const { maintenance, expectedOffline, muted, retired, criticality, note } = state;
  const ahead = maintenance !== null && maintenance.untilMs > nowMs ? maintenance : null;
  const told: ShownFacts = facts({
    maintenanceUntil: ahead === null ? undefined : shownInstant(ahead.untilMs),
    expectedOffline: expectedOffline || undefined,
    muted: muted || undefined,
    retired: retired || undefined,
    criticality,
    note: note ?? undefined,
  });
  return [{ named: ['declared by the operator', null], told: [null, told] }];
};

const entryRow = (finding: Finding, { atMs, kind, actor, reason, data }: HistoryRow): Row => ({
  named: [shortId(finding.id), shownText(finding.key, 200)],
  told: [
    shownInstant(atMs),
    facts({
      event: kind,
      by: actor.kind,
      episode: finding.episode > 1 ? finding.episode : undefined,
      reason: reason === null ? undefined : shownText(reason, 300),
      ...data,
    }),
  ],
});

export const readHistory = defineTool<LookingContext, z.output<typeof input>>({
  name: 'read_history',
  effect: 'read',
  description:
    'What was found on a resource before, when it began and ended, what fixed it, what the operator decided.',
  input,
  timeoutMs: 10_000,
  run: async (asked, context) => {
    const found = resolveResource(context.resources, asked.resource);
    if (!found.ok) return found.failure;
    const { id } = found.resource;
    const { findings } = context.findings.list({ resourceId: id, state: 'all', limit: LARGEST_PAGE, sort: 'newest' });
    const entries = findings
      .flatMap((finding) => context.findings.details(finding.id).history.map((row) => ({ finding, row })))
      .toSorted((a, b) => b.row.seq - a.row.seq);
    return answerList(context, {
      tool: 'read_history',
      asked,
      summary: `${findings.length} findings, ${entries.length} events, newest first.`,
      columns: ['finding', 'key', 'at', 'what'],
      touched: [id],
      rows: [
        ...declaredRow(context, id).map((row) => () => row),
        ...entries.map(
          ({ finding, row }) =>
            () =>
              entryRow(finding, row),
        ),
      ],
    });
  },
});
