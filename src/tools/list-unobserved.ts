import { z } from 'zod';
import { answerList, type Row } from './listing.ts';
import type { LookingContext } from './looking-context.ts';
import { cursorInput, resolveResource, resourceInput } from './named-resource.ts';
import { shownText } from './showing/shown-text.ts';
import { defineTool } from './tool.ts';
import { type Unseen, unseenOf } from './unseen.ts';

const input = z.strictObject({ under: resourceInput.optional(), cursor: cursorInput });

/** Resources that one row names; the rest is counted. */
const NAMED = 5;

const groupKey = ({ kind, code, reason, resource }: Unseen): string =>
  JSON.stringify([resource.sourceIds, kind, code, reason]);

interface Group {
  readonly first: Unseen;
  readonly all: readonly Unseen[];
}

/** The largest first. */
const groupsOf = (unseen: readonly Unseen[]): readonly Group[] =>
  [...Map.groupBy(unseen, groupKey).values()]
    .flatMap((all) => all.slice(0, 1).map((first) => ({ first, all })))
    .toSorted((a, b) => b.all.length - a.all.length);

const groupRow = ({ resources }: LookingContext, { first, all: group }: Group): Row => {
  const { kind, code, reason, resource } = first;
  const named = group.slice(0, NAMED).map((one) => resources.shown(one.resource.id));
  return {
    named: [kind, code],
    told: [shownText(reason, 240), resource.sourceIds.map((id) => shownText(id, 60)), group.length, named],
    touched: group.map((one) => one.resource.id),
  };
};

export const listUnobserved = defineTool<LookingContext, z.output<typeof input>>({
  name: 'list_unobserved',
  effect: 'read',
  description: 'What this run could not observe, and why: nothing is known about it, neither good nor bad.',
  input,
  timeoutMs: 5_000,
  run: async (asked, context) => {
    const { resources, ledger } = context;
    const under = asked.under === undefined ? null : resolveResource(resources, asked.under);
    if (under !== null && !under.ok) return under.failure;
    const own = resources.all.filter(({ id }) => under === null || resources.isWithin(id, under.resource.id));
    const unseen = own.flatMap((resource) => unseenOf(ledger, resource, null));
    return answerList(context, {
      tool: 'list_unobserved',
      asked,
      summary: `${unseen.length} readings of ${new Set(unseen.map(({ resource }) => resource.id)).size} resources are missing.`,
      columns: ['reading', 'code', 'reason', 'sources', 'resources', 'such as'],
      rows: groupsOf(unseen).map((group) => () => groupRow(context, group)),
    });
  },
});
