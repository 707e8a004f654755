import { z } from 'zod';
import { RESOURCE_KINDS, RESOURCE_STATUSES, type Resource } from '../../signals/resource.ts';
import { answerList } from './listing.ts';
import type { LookingContext } from './looking-context.ts';
import { cursorInput, resolveResource, resourceInput } from './named-resource.ts';
import { shownText } from './showing/shown-text.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  text: z.string().max(200).optional().describe('part of id or name'),
  kind: z.enum(RESOURCE_KINDS).optional(),
  status: z.enum(RESOURCE_STATUSES).optional(),
  tag: z.string().max(100).optional(),
  under: resourceInput.optional(),
  cursor: cursorInput,
});

type Asked = z.output<typeof input>;

const matches = ({ text, kind, status, tag }: Asked, resource: Resource): boolean => {
  const part = text?.toLowerCase();
  return (
    (kind === undefined || resource.kind === kind) &&
    (status === undefined || resource.status === status) &&
    (tag === undefined || resource.tags.includes(tag)) &&
    (part === undefined || resource.id.includes(part) || resource.name.toLowerCase().includes(part))
  );
};

/** Ids end in what most things are called: only other names are worth their tokens. */
const otherName = ({ id, name }: Resource): string | null => (id.endsWith(name) ? null : shownText(name, 80));

export const findResources = defineTool<LookingContext, Asked>({
  name: 'find_resources',
  effect: 'resolve',
  description: 'List resources of the inventory by text, kind, status, tag or what they are under.',
  input,
  timeoutMs: 5_000,
  run: async (asked, context) => {
    const { resources } = context;
    const under = asked.under === undefined ? null : resolveResource(resources, asked.under);
    if (under !== null && !under.ok) return under.failure;
    const found = resources.all.filter(
      (resource) => matches(asked, resource) && (under === null || resources.isWithin(resource.id, under.resource.id)),
    );
    return answerList(context, {
      tool: 'find_resources',
      asked,
      summary: `${found.length} of ${resources.all.length} resources.`,
      columns: ['id', 'kind', 'status', 'other name', 'tags'],
      rows: found.map((resource) => () => ({
        named: [resources.shown(resource.id)],
        told: [
          resource.kind,
          resource.presence === 'remembered' ? 'not seen in this run' : resource.status,
          otherName(resource),
          resource.tags.slice(0, 8).map((tag) => shownText(tag, 40)),
        ],
        touched: [resource.id],
      })),
    });
  },
});
