/** `GET /api/resources`: what patrold knows of. */
import { z } from 'zod';
import { RESOURCE_KINDS, RESOURCE_STATUSES } from '../../signals/resource.ts';
import { succeed } from './answer.ts';
import { defineCapability } from './capability.ts';
import { anyOf, nameInput, textInput } from './fields.ts';
import { badCursor, nextCursor, pageInput, readCursor, writeCursor } from './paging.ts';
import { resourceView, viewResources } from './resource-view.ts';

const LIST = 'resources';

export const listResources = defineCapability({
  name: 'list_resources',
  title: 'Resources',
  description:
    'Hosts, disks, filesystems, containers and all else that patrold knows of, by kind, status, source, tag or parent.',
  category: 'resources',
  method: 'GET',
  path: '/api/resources',
  scope: 'read',
  mode: 'read',
  approval: 'never',
  input: z.strictObject({
    kind: anyOf(RESOURCE_KINDS).optional(),
    status: anyOf(RESOURCE_STATUSES).optional(),
    source: nameInput.optional().describe('id of a source that sees it'),
    tag: nameInput.optional(),
    parent: nameInput.optional().describe('id of the resource that it lies directly below'),
    text: textInput.optional().describe('part of its name or id; ASCII letters of either case'),
    gone: z.boolean().default(false).describe('true: those that are no longer there, instead'),
    ...pageInput,
  }),
  output: z.strictObject({ items: z.array(resourceView).readonly(), nextCursor, total: z.int() }),
  invalidInput: 'invalid_request',
  errors: ['invalid_request'],
  handle: ({ kind, status, source, tag, parent, text, gone, limit, cursor }, { ports }) => {
    const position = cursor === undefined ? [] : readCursor(LIST, cursor);
    const [afterId] = position ?? [];
    if (position === null || typeof afterId === 'number') {
      return badCursor('invalid_request');
    }
    const filter = { kinds: kind, statuses: status, sourceId: source, tag, parentId: parent, text, gone };
    const found = ports.resources.list({ ...filter, afterId, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return succeed({
      items: viewResources(page, ports),
      nextCursor: found.length > limit && last !== undefined ? writeCursor(LIST, [last.id]) : null,
      total: ports.resources.count(filter),
    });
  },
});
