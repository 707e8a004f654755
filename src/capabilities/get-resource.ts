/** `GET /api/resources/:id`: one thing, what lies below it, and which checks cover it. */
import { z } from 'zod';
import { fail, succeed } from './answer.ts';
import { defineCapability } from './capability.ts';
import { idInput } from './fields.ts';
import { readReport } from './kept-report.ts';
import { lastWholeRun } from './last-whole-run.ts';
import { LARGEST_PAGE } from './paging.ts';
import { checksOf, checkView } from './resource-checks.ts';
import { asRemembered, resourceView, viewResources } from './resource-view.ts';

export const getResource = defineCapability({
  name: 'get_resource',
  title: 'One resource',
  description:
    'A resource with its status, parent and tags, what lies directly below it, and the checks that cover it.',
  category: 'resources',
  method: 'GET',
  path: '/api/resources/:id',
  scope: 'read',
  mode: 'read',
  approval: 'never',
  input: z.strictObject({ id: idInput.describe('its id, or one that it had before it was joined with another') }),
  output: z.strictObject({
    resource: resourceView,
    children: z
      .array(resourceView)
      .readonly()
      .describe(`the first ${LARGEST_PAGE}; /api/resources?parent=<id> lists them by page`),
    childrenTotal: z.int(),
    checks: z.array(checkView).readonly(),
    checkedIn: z
      .strictObject({ runId: z.string(), startedAtMs: z.int() })
      .nullable()
      .describe('the last run over everything, from which unobserved checks are told; null: there was none'),
  }),
  invalidInput: 'invalid_request',
  errors: ['invalid_request', 'missing_id', 'resource_not_found'],
  handle: ({ id }, { ports }) => {
    const found = ports.resources.get(id);
    if (found === null) return fail('resource_not_found', 'there is no resource with that id');
    const below = { parentId: found.id, gone: false };
    const run = lastWholeRun(ports.runs);
    const report = run === null ? { signals: [], unobserved: [] } : readReport(ports.runs, run.id);
    const [resource] = viewResources([found], ports);
    if (resource === undefined) throw new TypeError('a resource has a view');
    return succeed({
      resource,
      children: viewResources(ports.resources.list({ ...below, limit: LARGEST_PAGE }), ports),
      childrenTotal: ports.resources.count(below),
      checks: checksOf({
        resource: asRemembered(found),
        settings: ports.settings(),
        raised: ports.resources.raised(found.id),
        report,
      }),
      checkedIn: run === null ? null : { runId: run.id, startedAtMs: run.startedAtMs },
    });
  },
});
